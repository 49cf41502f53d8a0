(** The two inequalities of the exponential behind the constant 1.256. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** [perturbation.md#perturbation] e^-t >= 1 - t for every t. *)
Theorem exp_neg_lower t : 1 - t <= exp (- t).
Proof. pose proof (exp_ineq1_le (- t)). lra. Qed.

(** A function with a nonnegative derivative does not decrease. *)
Lemma nondecreasing (f f' : R -> R) a b : a <= b ->
  (forall c, a <= c <= b -> is_derive f c (f' c)) -> (forall c, a <= c <= b -> 0 <= f' c) -> f a <= f b.
Proof.
  intros [less| ->] derivative sign; [|lra].
  destruct (MVT_cor2 f f' a b less) as [c [slope inside]].
  { intros. now apply is_derive_Reals, derivative. }
  assert (0 <= f' c) by (apply sign; lra).
  assert (0 <= f' c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma exp_neg_cubic t : 0 <= t -> 1 - t + t ^ 2 / 2 - t ^ 3 / 6 <= exp (- t).
Proof.
  intros.
  assert (quadratic : forall u, 0 <= u -> exp (- u) <= 1 - u + u ^ 2 / 2).
  { intros u ?.
    enough (1 - 0 + 0 ^ 2 / 2 - exp (- 0) <= 1 - u + u ^ 2 / 2 - exp (- u)).
    { rewrite Ropp_0, exp_0 in *. lra. }
    apply (nondecreasing (fun u => 1 - u + u ^ 2 / 2 - exp (- u)) (fun u => - (1 - u) + exp (- u))); [lra| |].
    - intros. auto_derive; [trivial|]. cbn. lra.
    - intros c ?. pose proof (exp_neg_lower c). lra. }
  enough (exp (- 0) - (1 - 0 + 0 ^ 2 / 2 - 0 ^ 3 / 6) <= exp (- t) - (1 - t + t ^ 2 / 2 - t ^ 3 / 6)).
  { rewrite Ropp_0, exp_0 in *. lra. }
  apply (nondecreasing (fun u => exp (- u) - (1 - u + u ^ 2 / 2 - u ^ 3 / 6))
    (fun u => (1 - u + u ^ 2 / 2) - exp (- u))); [lra| |].
  - intros. auto_derive; [trivial|]. cbn. lra.
  - intros c ?. specialize (quadratic c). lra.
Qed.

Lemma exp_pow t k : exp t ^ k = exp (INR k * t).
Proof.
  induction k as [|k IH]; [cbn; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR. cbn [pow]. rewrite IH, <- exp_plus. f_equal. lra.
Qed.

(** Sixteen steps of 0.0785: no interval arithmetic, hence no axioms of machine integers. *)
Lemma exp_end : exp 1.256 <= 3.512.
Proof.
  pose proof (exp_neg_cubic 0.0785 ltac:(lra)) as step.
  assert (power : exp (- (0.0785)) ^ 16 = / exp 1.256).
  { rewrite exp_pow, <- exp_Ropp. f_equal. cbn. lra. }
  assert (whole : 0.9245 ^ 16 <= / exp 1.256) by (rewrite <- power; apply pow_incr; lra).
  pose proof (exp_pos 1.256).
  assert (exp 1.256 * 0.9245 ^ 16 <= 1).
  { rewrite <- (Rinv_r (exp 1.256)) by lra. apply Rmult_le_compat_l; lra. }
  nra.
Qed.

(** Below its chord from 0: a convex function touches its chord at the ends, where intervals cannot decide. *)
Lemma exp_below_chord t T : 0 <= t <= T -> 0 < T -> exp t <= 1 + t / T * (exp T - 1).
Proof.
  intros.
  assert (at_0 : exp t * (1 - t) <= 1).
  { pose proof (exp_neg_lower t). pose proof (exp_pos t).
    rewrite exp_Ropp in *. rewrite <- (Rinv_r (exp t)) at 2 by lra. apply Rmult_le_compat_l; lra. }
  assert (at_T : exp t * (1 + (T - t)) <= exp T).
  { replace (exp T) with (exp t * exp (T - t)) by (rewrite <- exp_plus; f_equal; lra).
    apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|apply exp_ineq1_le]. }
  assert (part : 0 <= t / T <= 1).
  { split; [apply Rdiv_le_0_compat; lra|]. apply Rle_div_l; lra. }
  assert (meets : t / T * T = t) by (field; lra).
  set (s := t / T) in *.
  assert ((1 - s) * (exp t * (1 - t)) <= (1 - s) * 1) by (apply Rmult_le_compat_l; lra).
  assert (s * (exp t * (1 + (T - t))) <= s * exp T) by (apply Rmult_le_compat_l; lra).
  assert ((1 - s) * (exp t * (1 - t)) + s * (exp t * (1 + (T - t))) = exp t) by
    (replace ((1 - s) * (exp t * (1 - t)) + s * (exp t * (1 + (T - t))))
       with (exp t * (1 - t + s * T)) by ring; rewrite meets; ring).
  lra.
Qed.

(** [perturbation.md#perturbation] e^t <= 1 + 2t on [0, 1.256]. *)
Theorem exp_upper_1256 t : 0 <= t <= 1.256 -> exp t <= 1 + 2 * t.
Proof.
  intros. eapply Rle_trans; [apply (exp_below_chord t 1.256); lra|].
  pose proof exp_end.
  assert (t / 1.256 * (exp 1.256 - 1) <= t / 1.256 * 2.512) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
