(** The residual of a matrix and its composite diameter. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Norms Diameters.
Open Scope R_scope.

(** X - 1 y^T. *)
Definition about (X : matrix) (y : vector) : matrix := fun i k => X i k - y k.

(** res(X), the infimum of the composite over all references. *)
Definition res (n d : nat) (X : matrix) : R := real (Glb_Rbar (fun r => exists y, r = composite n d (about X y))).

Lemma res_is_infimum n d X :
  (forall y, res n d X <= composite n d (about X y)) /\
  (forall b, (forall y, b <= composite n d (about X y)) -> b <= res n d X).
Proof.
  unfold res. set (values := fun r => exists y, r = composite n d (about X y)).
  destruct (Glb_Rbar_correct values) as [lower greatest].
  assert (finite : is_finite (Glb_Rbar values)).
  { assert (at_most := lower _ (ex_intro _ (fun _ => 0) eq_refl)).
    assert (at_least : Rbar_le 0 (Glb_Rbar values)).
    { apply greatest. intros r [y ->]. apply composite_nonneg. }
    destruct (Glb_Rbar values); [reflexivity|contradiction|contradiction]. }
  rewrite <- finite in lower, greatest. split.
  - intros y. apply (lower _ (ex_intro _ y eq_refl)).
  - intros b below. apply (greatest b). intros r [y ->]. apply below.
Qed.

Lemma res_nonneg n d X : 0 <= res n d X.
Proof. apply res_is_infimum. intros. apply composite_nonneg. Qed.

Definition mean (n : nat) (X : matrix) : vector := fun k => Sum n (fun i => X i k) / INR n.

(** The sum of the distances to the mean of n numbers in [lo, lo + w]. *)
Lemma deviations_from_mean n (x : nat -> R) lo w : (0 < n)%nat -> 0 <= w ->
  (forall i, (i < n)%nat -> lo <= x i <= lo + w) ->
  Sum n (fun i => Rabs (x i - Sum n x / INR n)) <= INR n / 2 * w.
Proof.
  intros n_pos w_nonneg range. set (m := Sum n x / INR n).
  pose proof (lt_0_INR n n_pos).
  assert (total : Sum n x = INR n * m) by (unfold m; field; lra).
  assert (inside : lo <= m <= lo + w).
  { assert (INR n * lo <= Sum n x <= INR n * (lo + w)).
    { rewrite <- !Sum_const. split; apply Sum_le; intros; now apply range. }
    rewrite total in *. split; apply Rmult_le_reg_l with (INR n); lra. }
  assert (chord : w * Sum n (fun i => Rabs (x i - m)) <= 2 * INR n * ((lo + w - m) * (m - lo))).
  { rewrite <- Sum_scale.
    apply Rle_trans with (Sum n (fun i => (m - lo) * (lo + w - x i) + (lo + w - m) * (x i - lo))).
    - apply Sum_le. intros i ?. specialize (range i ltac:(assumption)).
      destruct (Rle_lt_dec m (x i)).
      + rewrite Rabs_pos_eq by lra.
        assert (0 <= (m - lo) * (lo + w - x i)) by (apply Rmult_le_pos; lra). nra.
      + rewrite Rabs_left by lra.
        assert (0 <= (x i - lo) * (lo + w - m)) by (apply Rmult_le_pos; lra). nra.
    - rewrite Sum_plus, !Sum_scale, !Sum_minus, !Sum_const, total. right. ring. }
  destruct w_nonneg as [w_pos|<-].
  - apply Rmult_le_reg_l with w; [assumption|]. eapply Rle_trans; [exact chord|].
    assert ((lo + w - m) * (m - lo) <= w / 2 * (w / 2)) by (pose proof (Rle_0_sqr (m - lo - w / 2)); unfold Rsqr in
      *; lra).
    replace (w * (INR n / 2 * w)) with (2 * INR n * (w / 2 * (w / 2))) by field.
    apply Rmult_le_compat_l; lra.
  - rewrite Rmult_0_r. apply Req_le, Sum_zero. intros i ?. specialize (range i ltac:(assumption)).
    rewrite Rabs_pos_eq; lra.
Qed.

Lemma norm_1_about_mean n d X : (0 < n)%nat -> norm_1 n d (about X (mean n X)) <= INR n / 2 * diam_inf n d X.
Proof.
  intros n_pos. pose proof (lt_0_INR n n_pos). pose proof (diameter_nonneg (abs_inf d) n X : 0 <= diam_inf n d X).
  apply largest_le; [apply Rmult_le_pos; lra|]. intros k ?.
  destruct (least_index n (fun i => X i k) n_pos) as [i0 [? least]].
  apply (deviations_from_mean n (fun i => X i k) (X i0 k)); auto. intros i ?. split; [now apply least|].
  enough (X i k - X i0 k <= diam_inf n d X) by lra.
  eapply Rle_trans; [apply Rle_abs|].
  eapply Rle_trans; [apply (abs_inf_entry d (row_difference X i i0) k); assumption|].
  now apply (distance_le_diameter (abs_inf d)).
Qed.

Lemma norm_inf_about_mean n d X : (0 < n)%nat ->
  norm_inf n d (about X (mean n X)) <= (INR n - 1) / INR n * diam_1 n d X.
Proof.
  intros n_pos. pose proof (lt_0_INR n n_pos). pose proof (diameter_nonneg (abs_1 d) n X : 0 <= diam_1 n d X).
  assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (0 <= (INR n - 1) / INR n) by (apply Rdiv_le_0_compat; lra).
  apply largest_le; [now apply Rmult_le_pos|]. intros i ?.
  assert (average : INR n * abs_1 d (about X (mean n X) i) <= (INR n - 1) * diam_1 n d X).
  { rewrite <- (Rabs_pos_eq (INR n)) at 1 by lra. rewrite <- (homogeneous _ (abs_1_seminorm d)).
    replace (fun k => INR n * about X (mean n X) i k) with (fun k => Sum n (fun i' => row_difference X i i' k)).
    - eapply Rle_trans; [apply (seminorm_Sum _ (abs_1_seminorm d) n (row_difference X i))|].
      apply Sum_but_one with i; auto.
      + replace (row_difference X i i) with (fun _ : nat => 0)
          by (apply functional_extensionality; intros; unfold row_difference; lra).
        apply seminorm_zero, abs_1_seminorm.
      + intros. now apply (distance_le_diameter (abs_1 d)).
    - apply functional_extensionality. intros k. unfold row_difference, about, mean.
      rewrite Sum_minus, Sum_const. field. lra. }
  apply Rmult_le_reg_l with (INR n); [assumption|]. eapply Rle_trans; [exact average|]. right. field. lra.
Qed.

(** [README.md#residual-and-diameter] res(X) <= |X - 1 mean^T|_{1,inf} <= sqrt((n-1)/2) delta(X). *)
Theorem residual_le_diameter n d X : (0 < n)%nat ->
  res n d X <= composite n d (about X (mean n X)) /\
  composite n d (about X (mean n X)) <= sqrt ((INR n - 1) / 2) * delta n d X.
Proof.
  intros n_pos. split; [apply res_is_infimum|].
  pose proof (lt_0_INR n n_pos).
  assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  pose proof (diameter_nonneg (abs_1 d) n X : 0 <= diam_1 n d X).
  pose proof (diameter_nonneg (abs_inf d) n X : 0 <= diam_inf n d X).
  unfold composite, delta. rewrite <- sqrt_mult; [|lra|now apply Rmult_le_pos].
  apply sqrt_le_1_alt.
  replace ((INR n - 1) / 2 * (diam_1 n d X * diam_inf n d X))
    with (INR n / 2 * diam_inf n d X * ((INR n - 1) / INR n * diam_1 n d X)) by (field; lra).
  apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg, norm_1_about_mean, norm_inf_about_mean.
Qed.

Lemma diam_1_le_norm_inf n d X y : diam_1 n d X <= 2 * norm_inf n d (about X y).
Proof.
  pose proof (norm_inf_nonneg n d (about X y)).
  apply diameter_le; [lra|]. intros i i' ? ?.
  pose proof (row_le_norm_inf n d (about X y) i ltac:(assumption)).
  pose proof (row_le_norm_inf n d (about X y) i' ltac:(assumption)).
  enough (abs_1 d (row_difference X i i') <= abs_1 d (about X y i) + abs_1 d (about X y i')) by lra.
  unfold abs_1. rewrite <- Sum_plus. apply Sum_le. intros k ?. unfold row_difference, about.
  replace (X i k - X i' k) with ((X i k - y k) - (X i' k - y k)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
Qed.

Lemma diam_inf_le_norm_1 n d X y : diam_inf n d X <= norm_1 n d (about X y).
Proof.
  pose proof (norm_1_nonneg n d (about X y)).
  apply diameter_le; [assumption|]. intros i i' ? ?. apply largest_le; [assumption|]. intros k ?.
  unfold row_difference. destruct (Nat.eq_dec i i') as [->|apart].
  { unfold Rminus at 1. rewrite Rplus_opp_r, Rabs_R0. assumption. }
  eapply Rle_trans; [|now apply (column_le_norm_1 n d (about X y) k)].
  eapply Rle_trans; [|apply (two_terms_le_Sum n (fun i => Rabs (about X y i k)) i i'); auto using Rabs_pos].
  unfold about. replace (X i k - X i' k) with ((X i k - y k) + - (X i' k - y k)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
Qed.

(** [README.md#residual-and-diameter] delta(X) <= sqrt 2 res(X). *)
Theorem diameter_le_residual n d X : delta n d X / sqrt 2 <= res n d X.
Proof.
  assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  apply res_is_infimum. intros y. apply Rle_div_l; [assumption|].
  pose proof (norm_1_nonneg n d (about X y)). pose proof (norm_inf_nonneg n d (about X y)).
  unfold delta, composite. rewrite <- sqrt_mult; [|now apply Rmult_le_pos|lra].
  apply sqrt_le_1_alt.
  replace (norm_1 n d (about X y) * norm_inf n d (about X y) * 2)
    with (2 * norm_inf n d (about X y) * norm_1 n d (about X y)) by ring.
  apply Rmult_le_compat; auto using diam_1_le_norm_inf, diam_inf_le_norm_1; apply diameter_nonneg.
Qed.
