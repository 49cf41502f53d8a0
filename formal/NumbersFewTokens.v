(** The last step of the proof for n <= 1381: for every t one of three bounds is small enough at n = 1381. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Rankfall Require Import Exponential.
Open Scope R_scope.

(** tanh(t/2). *)
Definition half_tangent (t : R) : R := (exp t - 1) / (exp t + 1).
Definition bound_A (t : R) : R := (t + (exp t - 1)) / 4 * (2 * half_tangent t).
Definition bound_B (n t : R) : R :=
  let z := sqrt (1 + (exp t - 1) / n) in (t / 2 + n * ((z - 1) / (z + 1))) * (2 * half_tangent t).
Definition bound_C (n t : R) : R := (n - 1) * half_tangent t ^ 2.

Lemma chord_end : exp 5.9 - 1 <= 63 * 5.9.
Proof. interval with (i_prec 60). Qed.

Lemma bound_A_middle t : 5.9 <= t <= 7.25 -> 0 <= 16 * t ^ 2 - bound_A t.
Proof. intros. unfold bound_A, half_tangent. interval with (i_prec 60, i_bisect t, i_depth 20). Qed.

Lemma bound_B_middle t : 7.25 <= t <= 9.286 -> 0 <= 16 * t ^ 2 - bound_B 1381 t.
Proof. intros. unfold bound_B, half_tangent. cbv zeta. interval with (i_prec 60, i_bisect t, i_depth 20). Qed.

Lemma bound_C_middle t : 9.286 <= t <= 9.29 -> 0 <= 16 * t ^ 2 - bound_C 1381 t.
Proof. intros. unfold bound_C, half_tangent. interval with (i_prec 60, i_bisect t, i_depth 20). Qed.

(** [dong.md#small-n] The interval arithmetic in the proof of dong-2.2-v1 for n <= 1381 and L = 1; that (A), (B), (C)
    bound (res(X')/v)^2 is proved on that page. *)
Theorem few_tokens t : 0 < t -> bound_A t <= 16 * t ^ 2 \/ bound_B 1381 t <= 16 * t ^ 2 \/ bound_C 1381 t <= 16 * t ^ 2.
Proof.
  intros t_pos.
  destruct (Rle_lt_dec t 5.9) as [near|]; [left|destruct (Rle_lt_dec t 7.25); [left|
    destruct (Rle_lt_dec t 9.286); [right; left|right; right; destruct (Rle_lt_dec t 9.29)]]].
  - unfold bound_A, half_tangent. pose proof (exp_below_chord t 5.9 ltac:(lra) ltac:(lra)) as chord.
    pose proof chord_end.
    assert (t / 5.9 * (exp 5.9 - 1) <= t / 5.9 * (63 * 5.9)) by
      (apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat|]; lra).
    assert (sum : t + (exp t - 1) <= 64 * t) by lra.
    pose proof (exp_ineq1_le t). pose proof (exp_neg_lower t) as below. rewrite exp_Ropp in below.
    assert (product_form : exp t * (1 - t) <= 1).
    { rewrite <- (Rinv_r (exp t)) at 2 by (pose proof (exp_pos t); lra).
      apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|assumption]. }
    assert (tangent : (exp t - 1) / (exp t + 1) <= t / 2).
    { apply Rmult_le_reg_r with (exp t + 1); [lra|].
      replace ((exp t - 1) / (exp t + 1) * (exp t + 1)) with (exp t - 1) by (field; lra).
      enough (0 * (exp 0 + 1) / 2 - (exp 0 - 1) <= t * (exp t + 1) / 2 - (exp t - 1)).
      { rewrite exp_0 in *. lra. }
      apply (nondecreasing (fun x => x * (exp x + 1) / 2 - (exp x - 1)) (fun x => (x * exp x - exp x + 1) / 2));
        [lra| |].
      - intros. auto_derive; [trivial|]. field.
      - intros x ?. pose proof (exp_neg_lower x) as low. rewrite exp_Ropp in low.
        assert (exp x * (1 - x) <= exp x * / exp x) by (apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|assumption]).
        rewrite Rinv_r in * by (pose proof (exp_pos x); lra). lra. }
    assert (0 <= (exp t - 1) / (exp t + 1)) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
    apply Rle_trans with (64 * t / 4 * (2 * (t / 2))); [apply Rmult_le_compat; lra|right; field].
  - pose proof (bound_A_middle t ltac:(lra)). lra.
  - pose proof (bound_B_middle t ltac:(lra)). lra.
  - pose proof (bound_C_middle t ltac:(lra)). lra.
  - unfold bound_C, half_tangent. assert (0 <= (exp t - 1) / (exp t + 1) <= 1).
    { pose proof (exp_ineq1_le t). split; [apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]|].
      apply Rmult_le_reg_r with (exp t + 1); [lra|].
      replace ((exp t - 1) / (exp t + 1) * (exp t + 1)) with (exp t - 1) by (field; lra). lra. }
    set (x := (exp t - 1) / (exp t + 1)) in *. nra.
Qed.
