(** The softmax of a row of scores. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Exponential Tanh TotalVariation.
Open Scope R_scope.

Definition softmax (n : nat) (s : nat -> R) (j : nat) : R := exp (s j) / Sum n (fun k => exp (s k)).

Lemma softmax_normaliser n s : (0 < n)%nat -> 0 < Sum n (fun k => exp (s k)).
Proof. intros. apply Sum_pos; [assumption|]. intros. apply exp_pos. Qed.

Lemma softmax_pos n s j : (0 < n)%nat -> 0 < softmax n s j.
Proof. intros. apply Rdiv_lt_0_compat; [apply exp_pos|now apply softmax_normaliser]. Qed.

Lemma softmax_distribution n s : (0 < n)%nat -> distribution n (softmax n s).
Proof.
  intros. split; [intros; now apply Rlt_le, softmax_pos|].
  unfold softmax, Rdiv. rewrite Sum_scale_r. apply Rinv_r.
  pose proof (softmax_normaliser n s ltac:(assumption)). lra.
Qed.

(** Softmax does not see a constant added to its scores. *)
Lemma softmax_shift n s t c : (0 < n)%nat -> (forall j, (j < n)%nat -> s j = t j + c) ->
  forall j, (j < n)%nat -> softmax n s j = softmax n t j.
Proof.
  intros ? shift j ?. unfold softmax.
  rewrite (Sum_ext n (fun k => exp (s k)) (fun k => exp (t k) * exp c))
    by (intros; now rewrite shift, exp_plus).
  rewrite Sum_scale_r, shift, exp_plus by assumption.
  pose proof (softmax_normaliser n t ltac:(assumption)). pose proof (exp_pos c). field. lra.
Qed.

(** Rows of scores whose difference oscillates by at most w. *)
Lemma softmax_total_variation n s t w : (0 < n)%nat -> 0 <= w ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> (s j - t j) - (s k - t k) <= w) ->
  total_variation n (softmax n s) (softmax n t) <= tanh (w / 4).
Proof.
  intros ? ? oscillation.
  apply total_variation_cross; auto using softmax_distribution.
  intros j k ? ?. unfold softmax.
  pose proof (softmax_normaliser n s ltac:(assumption)) as s_pos.
  pose proof (softmax_normaliser n t ltac:(assumption)) as t_pos.
  set (S := Sum n (fun k => exp (s k))) in *. set (T := Sum n (fun k => exp (t k))) in *.
  replace (exp (s j) / S * (exp (t k) / T)) with (exp (s j + t k) * / (S * T))
    by (rewrite exp_plus; field; lra).
  replace (exp w * (exp (t j) / T * (exp (s k) / S))) with (exp (w + (t j + s k)) * / (S * T))
    by (rewrite !exp_plus; field; lra).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; nra|].
  specialize (oscillation j k ltac:(assumption) ltac:(assumption)).
  assert (order : s j + t k <= w + (t j + s k)) by lra.
  destruct order as [less| ->]; [now apply Rlt_le, exp_increasing|lra].
Qed.

(** P~_j / P_j is the inverse of a mean of the numbers e^(E_j - E_k). *)
Lemma softmax_quotient n a e j : (0 < n)%nat ->
  softmax n a j = softmax n (fun k => a k - e k) j * Sum n (fun k => softmax n a k * exp (e j - e k)).
Proof.
  intros.
  pose proof (softmax_normaliser n a ltac:(assumption)).
  pose proof (softmax_normaliser n (fun k => a k - e k) ltac:(assumption)).
  unfold softmax. set (Z := Sum n (fun k => exp (a k))) in *.
  rewrite (Sum_ext n (fun k => exp (a k) / Z * exp (e j - e k))
    (fun k => exp (e j) / Z * exp (a k - e k)))
    by (intros; replace (e j - e i) with (e j + - e i) by lra;
        replace (a i - e i) with (a i + - e i) by lra; rewrite !exp_plus; field; lra).
  rewrite Sum_scale. replace (a j - e j) with (a j + - e j) by lra. rewrite exp_plus, exp_Ropp.
  pose proof (exp_pos (e j)). field. lra.
Qed.

Lemma mean_bounds n p f lo hi : distribution n p ->
  (forall k, (k < n)%nat -> lo <= f k <= hi) -> lo <= Sum n (fun k => p k * f k) <= hi.
Proof.
  intros [p_nonneg p_one] range.
  replace lo with (Sum n (fun k => p k * lo)) by (rewrite Sum_scale_r, p_one; lra).
  replace hi with (Sum n (fun k => p k * hi)) by (rewrite Sum_scale_r, p_one; lra).
  split; apply Sum_le; intros; apply Rmult_le_compat_l; auto; now apply range.
Qed.

(** One row of [perturbation.md#perturbation], both sides of P~ = softmax(A - E) against P = softmax(A). *)
Lemma perturbation_row n a e rho j : (0 < n)%nat -> (j < n)%nat ->
  (forall k l, (k < n)%nat -> (l < n)%nat -> e k - e l <= rho) ->
  (1 - rho) * softmax n a j <= softmax n (fun k => a k - e k) j /\
  (rho <= 1.256 -> softmax n (fun k => a k - e k) j <= (1 + 2 * rho) * softmax n a j).
Proof.
  intros ? ? oscillation.
  pose proof (softmax_pos n a j ltac:(assumption)) as p_pos.
  pose proof (softmax_pos n (fun k => a k - e k) j ltac:(assumption)) as moved_pos.
  pose proof (softmax_quotient n a e j ltac:(assumption)) as quotient.
  assert (mean : exp (- rho) <= Sum n (fun k => softmax n a k * exp (e j - e k)) <= exp rho).
  { apply mean_bounds; [now apply softmax_distribution|]. intros k ?.
    pose proof (oscillation j k ltac:(assumption) ltac:(assumption)).
    pose proof (oscillation k j ltac:(assumption) ltac:(assumption)).
    assert (exp_le : forall x y, x <= y -> exp x <= exp y).
    { intros x y [less| ->]; [now apply Rlt_le, exp_increasing|lra]. }
    split; apply exp_le; lra. }
  assert (0 <= rho) by (pose proof (oscillation j j ltac:(assumption) ltac:(assumption)); lra).
  set (P := softmax n a j) in *. set (P' := softmax n (fun k => a k - e k) j) in *.
  set (m := Sum n _) in *.
  pose proof (exp_pos rho). pose proof (exp_pos (- rho)).
  assert (inverse : exp rho * exp (- rho) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  split.
  - assert (exp (- rho) * P <= P').
    { rewrite quotient. replace P' with (exp (- rho) * (P' * exp rho)) at 2.
      - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
      - transitivity (P' * (exp rho * exp (- rho))); [ring|]. rewrite inverse. ring. }
    pose proof (exp_neg_lower rho). nra.
  - intros. assert (P' <= exp rho * P).
    { rewrite quotient. replace P' with (exp rho * (P' * exp (- rho))) at 1.
      - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
      - transitivity (P' * (exp rho * exp (- rho))); [ring|]. rewrite inverse. ring. }
    pose proof (exp_upper_1256 rho ltac:(lra)). nra.
Qed.

(** [perturbation.md#perturbation] (I - D)P <= P~ <= (I + 2D)P entrywise with D = diag(rho_i) and rho_i at least the
    oscillation of row i of E; the upper side where rho_i <= 1.256. *)
Theorem perturbation n m (A E : nat -> nat -> R) (rho : nat -> R) : (0 < m)%nat ->
  let P := fun i => softmax m (A i) in
  let moved := fun i => softmax m (fun j => A i j - E i j) in
  (forall i j k, (i < n)%nat -> (j < m)%nat -> (k < m)%nat -> E i j - E i k <= rho i) ->
  forall i j, (i < n)%nat -> (j < m)%nat ->
    (1 - rho i) * P i j <= moved i j /\ (rho i <= 1.256 -> moved i j <= (1 + 2 * rho i) * P i j).
Proof. intros ? P moved oscillation i j ? ?. apply perturbation_row; auto. Qed.
