(** The recursion a' = v a tanh(w a^2) of two tokens in one dimension: below a threshold it collapses, above it
    grows. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Tanh.
Open Scope R_scope.

Definition scalar_step (v w a : R) : R := v * a * tanh (w * a ^ 2).

Fixpoint scalar_state (v w a : R) (l : nat) : R :=
  match l with
  | O => a
  | S m => scalar_step v w (scalar_state v w a m)
  end.

Definition threshold (v w : R) : R := sqrt (artanh (/ v) / w).

(** What one step multiplies by. *)
Definition scalar_factor (v w a : R) : R := v * tanh (w * a ^ 2).

Section Threshold.
Variables v w : R.
Hypothesis w_pos : 0 < w.
Hypothesis v_large : 1 < v.

Lemma inverse_range : 0 < / v < 1.
Proof.
  split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.

Lemma threshold_square : w * threshold v w ^ 2 = artanh (/ v).
Proof.
  pose proof inverse_range. pose proof (artanh_pos (/ v) ltac:(lra)).
  unfold threshold. rewrite pow2_sqrt by (apply Rdiv_le_0_compat; lra). field. lra.
Qed.

Lemma threshold_pos : 0 < threshold v w.
Proof.
  pose proof inverse_range. pose proof (artanh_pos (/ v) ltac:(lra)).
  apply sqrt_lt_R0, Rdiv_lt_0_compat; lra.
Qed.

Lemma factor_at_threshold : scalar_factor v w (threshold v w) = 1.
Proof.
  pose proof inverse_range. unfold scalar_factor. rewrite threshold_square, tanh_artanh by lra. field. lra.
Qed.

(** [refutations.md#convergence-remark] a* = sqrt(artanh(1/v)/w) is a fixed point. *)
Theorem threshold_fixed : scalar_step v w (threshold v w) = threshold v w.
Proof.
  pose proof factor_at_threshold. unfold scalar_factor, scalar_step in *.
  replace (v * threshold v w * tanh (w * threshold v w ^ 2))
    with (v * tanh (w * threshold v w ^ 2) * threshold v w) by ring.
  rewrite H. ring.
Qed.

Lemma step_by_factor a : scalar_step v w a = scalar_factor v w a * a.
Proof. unfold scalar_step, scalar_factor. ring. Qed.

Lemma factor_nonneg a : 0 <= scalar_factor v w a.
Proof.
  apply Rmult_le_pos; [lra|]. apply tanh_nonneg, Rmult_le_pos; [lra|apply pow2_ge_0].
Qed.

Lemma factor_le a b : 0 <= a <= b -> scalar_factor v w a <= scalar_factor v w b.
Proof.
  intros. apply Rmult_le_compat_l; [lra|]. apply tanh_le, Rmult_le_compat_l; [lra|]. now apply pow_incr.
Qed.

Lemma factor_lt a b : 0 <= a < b -> scalar_factor v w a < scalar_factor v w b.
Proof.
  intros. apply Rmult_lt_compat_l; [lra|]. apply tanh_lt, Rmult_lt_compat_l; [lra|]. nra.
Qed.

(** [refutations.md#convergence-remark] Below the threshold every state is below k^l a_0 with k < 1, and the residual
    tends to 0. *)
Theorem collapse_below_threshold a : 0 <= a < threshold v w ->
  scalar_factor v w a < 1 /\
  (forall l, 0 <= scalar_state v w a l <= scalar_factor v w a ^ l * a) /\
  is_lim_seq (scalar_state v w a) 0.
Proof.
  intros below. set (k := scalar_factor v w a).
  assert (k_small : k < 1) by (rewrite <- factor_at_threshold; now apply factor_lt).
  pose proof (factor_nonneg a : 0 <= k) as k_nonneg.
  assert (decay : forall l, 0 <= scalar_state v w a l <= k ^ l * a).
  { induction l as [|l [IH_low IH]]; [cbn; lra|]. cbn [scalar_state]. rewrite step_by_factor.
    assert (0 <= k ^ l <= 1) by (split; [now apply pow_le|rewrite <- (pow1 l); apply pow_incr; lra]).
    assert (scalar_state v w a l <= a) by nra.
    assert (scalar_factor v w (scalar_state v w a l) <= k) by (apply factor_le; lra).
    pose proof (factor_nonneg (scalar_state v w a l)). split; [now apply Rmult_le_pos|].
    cbn [pow]. rewrite Rmult_assoc. apply Rmult_le_compat; lra. }
  split; [exact k_small|]. split; [exact decay|].
  apply is_lim_seq_le_le with (u := fun _ => 0) (w := fun l => k ^ l * a); [exact decay|apply is_lim_seq_const|].
  replace (Finite 0) with (Rbar_mult 0 a) by (cbn; f_equal; ring).
  apply is_lim_seq_scal_r, is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.

(** [refutations.md#convergence-remark] Above the threshold every state is above k^l a_0 with k > 1, and the residual
    tends to infinity. *)
Theorem growth_above_threshold a : threshold v w < a ->
  1 < scalar_factor v w a /\
  (forall l, scalar_factor v w a ^ l * a <= scalar_state v w a l) /\
  is_lim_seq (scalar_state v w a) p_infty.
Proof.
  intros above. pose proof threshold_pos. set (k := scalar_factor v w a).
  assert (k_large : 1 < k) by (rewrite <- factor_at_threshold; apply factor_lt; lra).
  assert (growth : forall l, k ^ l * a <= scalar_state v w a l).
  { induction l as [|l IH]; [cbn; lra|]. cbn [scalar_state]. rewrite step_by_factor.
    assert (1 <= k ^ l) by (apply pow_R1_Rle; lra).
    assert (a <= scalar_state v w a l) by nra.
    assert (k <= scalar_factor v w (scalar_state v w a l)) by (apply factor_le; lra).
    cbn [pow]. rewrite Rmult_assoc. apply Rmult_le_compat; nra. }
  split; [exact k_large|]. split; [exact growth|].
  apply is_lim_seq_le_p_loc with (u := fun l => k ^ l * a); [now exists 0%nat|].
  replace p_infty with (Rbar_mult p_infty a).
  - apply is_lim_seq_scal_r. now apply is_lim_seq_geom_p.
  - cbn. destruct (Rle_dec 0 a) as [nonneg|]; [|lra].
    destruct (Rle_lt_or_eq_dec 0 a nonneg); [reflexivity|lra].
Qed.

End Threshold.
