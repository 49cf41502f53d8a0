(** The paper's cubic bound of one layer, under 1.256, with column and row sums kept apart. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Exponential TotalVariation Softmax Norms Diameters Attention Residual ExactReduction
  LayerSharp.
Open Scope R_scope.

(** softmax(r + e) against q = softmax(r), where e oscillates by at most 1.256. *)
Lemma softmax_deviation n (r e : vector) j : (0 < n)%nat -> (j < n)%nat ->
  (forall k l, (k < n)%nat -> (l < n)%nat -> e k - e l <= 1.256) ->
  let q := softmax n r in
  Rabs (softmax n (fun k => r k + e k) j - q j) <= 2 * q j * (Rabs (e j) + Sum n (fun k => q k * Rabs (e k))).
Proof.
  intros n_pos inside small q.
  set (P := softmax n (fun k => r k + e k) j).
  destruct (softmax_distribution n r n_pos) as [q_nonneg q_one]. fold q in q_nonneg, q_one.
  pose proof (softmax_pos n r j n_pos : 0 < q j) as q_pos.
  pose proof (softmax_pos n (fun k => r k + e k) j n_pos : 0 < P) as P_pos.
  set (S := Sum n (fun k => q k * exp (e k - e j))).
  assert (quotient : q j = P * S).
  { pose proof (softmax_quotient n r (fun k => - e k) j n_pos) as law.
    cbv beta in law.
    assert (same : softmax n (fun k => r k - - e k) j = P)
      by (unfold P; f_equal; apply functional_extensionality; intros; lra).
    rewrite same in law. unfold q at 1. rewrite law. f_equal. unfold S. apply Sum_ext. intros i ?.
    unfold q. f_equal. f_equal. lra. }
  set (m := Sum n (fun k => q k * Rabs (e k))).
  assert (spread : Sum n (fun k => q k * (Rabs (e k) + Rabs (e j))) = m + Rabs (e j)).
  { rewrite (Sum_ext _ _ (fun k => q k * Rabs (e k) + q k * Rabs (e j))) by (intros; ring).
    rewrite Sum_plus, Sum_scale_r, q_one. unfold m. ring. }
  destruct (Rle_lt_dec 1 S) as [large|less].
  - assert (S - 1 <= 2 * (Rabs (e j) + m)).
    { rewrite Rplus_comm, <- spread.
      replace (S - 1) with (Sum n (fun k => q k * (exp (e k - e j) - 1))).
      - rewrite <- Sum_scale. apply Sum_le. intros k ?.
        replace (2 * (q k * (Rabs (e k) + Rabs (e j)))) with (q k * (2 * (Rabs (e k) + Rabs (e j)))) by ring.
        apply Rmult_le_compat_l; [auto|].
        assert (distance : e k - e j <= Rabs (e k) + Rabs (e j)).
        { pose proof (Rle_abs (e k)). pose proof (Rle_abs (- e j)) as opposite. rewrite Rabs_Ropp in opposite. lra. }
        pose proof (Rabs_pos (e k)). pose proof (Rabs_pos (e j)).
        destruct (Rle_lt_dec 0 (e k - e j)) as [up|down].
        + pose proof (exp_upper_1256 (e k - e j) (conj up (small k j ltac:(assumption) inside))). lra.
        + pose proof (exp_increasing _ _ down) as below. rewrite exp_0 in below. lra.
      - rewrite (Sum_ext _ _ (fun k => q k * exp (e k - e j) - q k)) by (intros; ring).
        rewrite Sum_minus, q_one. reflexivity. }
    assert (P <= q j) by (rewrite quotient; nra).
    rewrite Rabs_left1 by lra.
    replace (- (P - q j)) with (P * (S - 1)) by (rewrite quotient; ring).
    apply Rle_trans with (q j * (S - 1)); [apply Rmult_le_compat_r; lra|].
    replace (2 * q j * (Rabs (e j) + m)) with (q j * (2 * (Rabs (e j) + m))) by ring.
    apply Rmult_le_compat_l; lra.
  - set (J := Sum n (fun k => q k * (e j - e k))).
    assert (J_small : J <= 1.256).
    { replace 1.256 with (Sum n (fun k => q k * 1.256)) by (rewrite Sum_scale_r, q_one; lra).
      unfold J. apply Sum_le. intros. apply Rmult_le_compat_l; auto. }
    assert (Jensen : exp (- J) <= S).
    { unfold S. replace (exp (- J)) with (Sum n (fun k => q k * (exp (- J) * (1 + (e k - e j - - J))))).
      - apply Sum_le. intros k ?. apply Rmult_le_compat_l; [auto|].
        replace (exp (e k - e j)) with (exp (- J) * exp (e k - e j - - J)) by (rewrite <- exp_plus; f_equal; lra).
        apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|apply exp_ineq1_le].
      - rewrite (Sum_ext _ _ (fun k => exp (- J) * (q k * (1 + J) - q k * (e j - e k)))) by (intros; ring).
        rewrite Sum_scale, Sum_minus, Sum_scale_r, q_one. fold J. ring. }
    assert (J_pos : 0 < J).
    { destruct (Rle_lt_dec J 0); [|assumption]. exfalso.
      pose proof (exp_ineq1_le (- J)). lra. }
    assert (J_bound : J <= Rabs (e j) + m).
    { rewrite Rplus_comm, <- spread. unfold J. apply Sum_le. intros k ?. apply Rmult_le_compat_l; [auto|].
      pose proof (Rle_abs (e j)). pose proof (Rle_abs (- e k)) as opposite. rewrite Rabs_Ropp in opposite. lra. }
    pose proof (exp_upper_1256 J ltac:(lra)) as upper.
    assert (P_le : P <= q j * exp J).
    { rewrite quotient. apply Rle_trans with (P * (exp (- J) * exp J)).
      - rewrite <- exp_plus, Rplus_opp_l, exp_0. lra.
      - rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [apply Rlt_le,
        exp_pos|assumption]. }
    assert (q j <= P) by (rewrite quotient; nra).
    rewrite Rabs_pos_eq by lra.
    apply Rle_trans with (q j * (exp J - 1)); [lra|].
    replace (2 * q j * (Rabs (e j) + m)) with (q j * (2 * (Rabs (e j) + m))) by ring.
    apply Rmult_le_compat_l; lra.
Qed.

(** "Under 1.256" at the reference x. *)
Definition under_1256 (n d : nat) (h : head) (R : matrix) : Prop :=
  forall i, (i < n)%nat -> oscillation n (residual_scores d h R) i <= 1.256.

Section Layer.
Variables (n d d' : nat) (h : head) (x : vector) (X : matrix).
Hypothesis n_pos : (0 < n)%nat.

Let R := about X x.
Let E := residual_scores d h R.
Let q := common_attention n d h x R.
Let RW := product d R (W h).
Let D := deviation n d h x X.

Hypothesis small : under_1256 n d h R.

Lemma deviation_entry i j : (i < n)%nat -> (j < n)%nat ->
  Rabs (D i j) <= 2 * q j * (Rabs (E i j) + Sum n (fun l => q l * Rabs (E i l))).
Proof.
  intros. unfold D, deviation. rewrite (attention_reduced n d n_pos h x X i j) by assumption.
  pose proof (softmax_deviation n (common_scores d h x R) (E i) j n_pos ltac:(assumption)) as bound.
  cbv zeta in bound. apply bound.
  intros. eapply Rle_trans; [now apply (le_oscillation n E)|]. now apply small.
Qed.

Lemma common_distribution : distribution n q.
Proof. now apply softmax_distribution. Qed.

Lemma deviation_column j : (j < n)%nat -> Sum n (fun i => Rabs (D i j)) <= 4 * q j * norm_1 n n E.
Proof.
  intros. destruct common_distribution as [q_nonneg q_one].
  eapply Rle_trans; [apply Sum_le; intros; now apply deviation_entry|].
  rewrite Sum_scale, Sum_plus, Sum_swap.
  replace (4 * q j * norm_1 n n E) with (2 * q j * (norm_1 n n E + norm_1 n n E)) by ring.
  specialize (q_nonneg j ltac:(assumption)) as qj.
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat; [now apply column_le_norm_1|].
  replace (norm_1 n n E) with (Sum n (fun l => q l * norm_1 n n E)) by (rewrite Sum_scale_r, q_one; lra).
  apply Sum_le. intros l ?. rewrite Sum_scale. apply Rmult_le_compat_l; [auto|now apply column_le_norm_1].
Qed.

Lemma deviation_row i : (i < n)%nat -> Sum n (fun j => Rabs (D i j)) <= 4 * norm_1 n n E.
Proof.
  intros. destruct common_distribution as [q_nonneg q_one].
  eapply Rle_trans; [apply Sum_le; intros; now apply deviation_entry|].
  set (m := Sum n (fun l => q l * Rabs (E i l))).
  rewrite (Sum_ext _ _ (fun j => 2 * (q j * Rabs (E i j)) + q j * (2 * m))) by (intros; ring).
  rewrite Sum_plus, Sum_scale, Sum_scale_r, q_one. fold m.
  enough (m <= norm_1 n n E) by lra.
  replace (norm_1 n n E) with (Sum n (fun l => q l * norm_1 n n E)) by (rewrite Sum_scale_r, q_one; lra).
  apply Sum_le. intros l ?. apply Rmult_le_compat_l; [auto|].
  eapply Rle_trans; [|now apply (column_le_norm_1 n n E l)].
  apply (term_le_Sum n (fun i => Rabs (E i l))); auto using Rabs_pos.
Qed.

Lemma residual_columns : norm_1 n d' (head_residual n d h x X) <= 4 * norm_1 n n E * norm_1 n d' RW.
Proof.
  destruct common_distribution as [q_nonneg q_one].
  pose proof (norm_1_nonneg n n E). pose proof (norm_1_nonneg n d' RW).
  apply largest_le; [apply Rmult_le_pos; lra|]. intros k ?.
  apply Rle_trans with (Sum n (fun i => Sum n (fun j => Rabs (D i j) * Rabs (RW j k)))).
  { unfold head_residual, abs_1. apply Sum_le. intros. eapply Rle_trans; [apply Sum_abs|].
    right. apply Sum_ext. intros. rewrite Rabs_mult. reflexivity. }
  rewrite Sum_swap. apply Rle_trans with (Sum n (fun j => 4 * norm_1 n n E * Rabs (RW j k))).
  - apply Sum_le. intros j ?. rewrite Sum_scale_r. apply Rmult_le_compat_r; [apply Rabs_pos|].
    eapply Rle_trans; [now apply deviation_column|].
    assert (q j <= 1) by (rewrite <- q_one; now apply term_le_Sum).
    specialize (q_nonneg j ltac:(assumption)). nra.
  - rewrite Sum_scale. apply Rmult_le_compat_l; [lra|now apply column_le_norm_1].
Qed.

Lemma residual_rows : norm_inf n d' (head_residual n d h x X) <= 4 * norm_1 n n E * norm_inf n d' RW.
Proof.
  pose proof (norm_1_nonneg n n E). pose proof (norm_inf_nonneg n d' RW).
  apply largest_le; [apply Rmult_le_pos; lra|]. intros i ?.
  apply Rle_trans with (Sum d' (fun k => Sum n (fun j => Rabs (D i j) * Rabs (RW j k)))).
  { unfold head_residual, abs_1. apply Sum_le. intros. eapply Rle_trans; [apply Sum_abs|].
    right. apply Sum_ext. intros. rewrite Rabs_mult. reflexivity. }
  rewrite Sum_swap. apply Rle_trans with (Sum n (fun j => Rabs (D i j) * norm_inf n d' RW)).
  - apply Sum_le. intros j ?. rewrite Sum_scale. apply Rmult_le_compat_l; [apply Rabs_pos|].
    now apply (row_le_norm_inf n d' RW).
  - rewrite Sum_scale_r. apply Rmult_le_compat_r; [assumption|now apply deviation_row].
Qed.

(** [dong.md#layer-cubic] Under 1.256: |R'|_{1,inf} <= 4 |E|_1 |R W|_{1,inf}. *)
Theorem layer_cubic : composite n d' (head_residual n d h x X) <= 4 * norm_1 n n E * composite n d' RW.
Proof.
  pose proof (norm_1_nonneg n n E). pose proof (norm_1_nonneg n d' RW). pose proof (norm_inf_nonneg n d' RW).
  unfold composite. rewrite <- (sqrt_square (4 * norm_1 n n E)) by lra.
  rewrite <- sqrt_mult; [|apply Rmult_le_pos; lra|now apply Rmult_le_pos]. apply sqrt_le_1_alt.
  replace (4 * norm_1 n n E * (4 * norm_1 n n E) * (norm_1 n d' RW * norm_inf n d' RW))
    with (4 * norm_1 n n E * norm_1 n d' RW * (4 * norm_1 n n E * norm_inf n d' RW)) by ring.
  apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg, residual_columns, residual_rows.
Qed.

End Layer.
