(** The residual of one layer in terms of the oscillations of the scores. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Tanh TotalVariation Softmax Norms Diameters Attention Residual ExactReduction.
Open Scope R_scope.

(** rho_i = max_(j,k) (E_ij - E_ik). *)
Definition oscillation (n : nat) (E : matrix) (i : nat) : R := largest n (fun j => largest n (fun k => E i j - E i k)).

Lemma oscillation_nonneg n E i : 0 <= oscillation n E i.
Proof. apply largest_nonneg. Qed.

Lemma le_oscillation n E i j k : (j < n)%nat -> (k < n)%nat -> E i j - E i k <= oscillation n E i.
Proof.
  intros. eapply Rle_trans; [now apply (le_largest n (fun k => E i j - E i k))|].
  now apply (le_largest n (fun j => largest n (fun k => E i j - E i k))).
Qed.

Lemma about_zero X : about X (fun _ => 0) = X.
Proof. unfold about. do 2 (apply functional_extensionality; intros). lra. Qed.

Section Layer.
Variables (n d d' : nat) (h : head) (x : vector) (X : matrix).
Hypothesis n_pos : (0 < n)%nat.

Let R := about X x.
Let E := residual_scores d h R.
Let rho := oscillation n E.
Let RW := product d R (W h).

(** t_i = TV(P_i, q) <= rho_i/4. *)
Lemma attention_near_common i :
  total_variation n (attention n d h X i) (common_attention n d h x R) <= rho i / 4.
Proof.
  pose proof (oscillation_nonneg n E i : 0 <= rho i).
  apply Rle_trans with (tanh (rho i / 4)); [|apply tanh_le_id; lra].
  set (r := common_scores d h x R).
  replace (total_variation n (attention n d h X i) (common_attention n d h x R))
    with (total_variation n (softmax n (fun j => r j + E i j)) (softmax n r)).
  - apply softmax_total_variation; auto. intros j k ? ?.
    replace (r j + E i j - r j - (r k + E i k - r k)) with (E i j - E i k) by ring. now apply le_oscillation.
  - unfold total_variation. f_equal. apply Sum_ext. intros. now rewrite (attention_reduced n d n_pos h x).
Qed.

Lemma residual_row (N : vector -> Rdefinitions.R) i : seminorm N ->
  N (head_residual n d h x X i) <= rho i / 4 * diameter_in N n RW.
Proof.
  intros. eapply Rle_trans.
  - apply (rows_of_a_product N n ltac:(assumption) (attention n d h X i) (common_attention n d h x R) RW);
      [now apply attention_distribution|now apply softmax_distribution].
  - apply Rmult_le_compat_r; [apply diameter_nonneg|apply attention_near_common].
Qed.

(** [dong.md#layer-sharp] |R'|_{1,inf} <= sqrt(sum rho_i * max rho_i) |R W|_{1,inf} / (2 sqrt 2), no condition. *)
Theorem layer_sharp :
  composite n d' (head_residual n d h x X) <= sqrt (Sum n rho * largest n rho) / (2 * sqrt 2) * composite n d' RW.
Proof.
  assert (rho_nonneg : forall i, 0 <= rho i) by (intros; apply oscillation_nonneg).
  assert (0 <= Sum n rho) by (apply Sum_nonneg; auto).
  pose proof (largest_nonneg n rho). pose proof (norm_1_nonneg n d' RW). pose proof (norm_inf_nonneg n d' RW).
  assert (rows : norm_inf n d' (head_residual n d h x X) <= largest n rho / 2 * norm_inf n d' RW).
  { apply largest_le; [apply Rmult_le_pos; lra|]. intros i ?.
    eapply Rle_trans; [apply residual_row, abs_1_seminorm|].
    pose proof (diam_1_le_norm_inf n d' RW (fun _ => 0)) as small. rewrite about_zero in small.
    pose proof (le_largest n rho i ltac:(assumption)). specialize (rho_nonneg i).
    apply Rle_trans with (rho i / 4 * (2 * norm_inf n d' RW)); [apply Rmult_le_compat_l; [lra|exact small]|].
    replace (rho i / 4 * (2 * norm_inf n d' RW)) with (rho i / 2 * norm_inf n d' RW) by field.
    apply Rmult_le_compat_r; lra. }
  assert (columns : norm_1 n d' (head_residual n d h x X) <= Sum n rho / 4 * norm_1 n d' RW).
  { apply largest_le; [apply Rmult_le_pos; lra|]. intros k ?.
    replace (Sum n rho / 4 * norm_1 n d' RW) with (Sum n (fun i => rho i * (/ 4 * norm_1 n d' RW)))
      by (rewrite Sum_scale_r; field).
    apply Sum_le. intros i ?.
    eapply Rle_trans; [now apply (abs_inf_entry d' (head_residual n d h x X i))|].
    eapply Rle_trans; [apply residual_row, abs_inf_seminorm|].
    pose proof (diam_inf_le_norm_1 n d' RW (fun _ => 0)) as small. rewrite about_zero in small.
    specialize (rho_nonneg i). unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
    apply Rmult_le_compat_l; [lra|exact small]. }
  assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (eighth : sqrt (/ 8) = / (2 * sqrt 2)).
  { rewrite <- (sqrt_square (/ (2 * sqrt 2))) by (apply Rlt_le, Rinv_0_lt_compat; lra). f_equal.
    transitivity (/ (4 * (sqrt 2 * sqrt 2))); [|field; lra].
    rewrite sqrt_sqrt by lra. f_equal. lra. }
  unfold Rdiv at 1. rewrite <- eighth. unfold composite.
  assert (0 <= Sum n rho * largest n rho) by now apply Rmult_le_pos.
  rewrite <- sqrt_mult, <- sqrt_mult; [|lra|now apply Rmult_le_pos|assumption|lra].
  apply sqrt_le_1_alt.
  replace (Sum n rho * largest n rho * / 8 * (norm_1 n d' RW * norm_inf n d' RW))
    with (Sum n rho / 4 * norm_1 n d' RW * (largest n rho / 2 * norm_inf n d' RW)) by field.
  apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg.
Qed.

End Layer.
