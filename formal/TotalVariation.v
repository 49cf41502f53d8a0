(** The total variation distance of two distributions whose log-ratio oscillates little. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Tanh.
Open Scope R_scope.

Definition distribution (n : nat) (p : nat -> R) : Prop :=
  (forall j, (j < n)%nat -> 0 <= p j) /\ Sum n p = 1.

Definition total_variation (n : nat) (p q : nat -> R) : R := / 2 * Sum n (fun j => Rabs (p j - q j)).

(** The mass of p where it exceeds q. *)
Definition excess_mass (n : nat) (p q f : nat -> R) : R :=
  Sum n (fun j => if Rlt_dec (q j) (p j) then f j else 0).

Lemma excess_mass_rest n p q f :
  Sum n f - excess_mass n p q f = Sum n (fun j => if Rlt_dec (q j) (p j) then 0 else f j).
Proof.
  unfold excess_mass. rewrite <- Sum_minus. apply Sum_ext. intros j ?. destruct (Rlt_dec (q j) (p j)); lra.
Qed.

Lemma excess_mass_range n p q f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= excess_mass n p q f <= Sum n f.
Proof.
  intros. split.
  - apply Sum_nonneg. intros. destruct (Rlt_dec (q i) (p i)); [auto|lra].
  - apply Sum_le. intros. destruct (Rlt_dec (q i) (p i)); [lra|auto].
Qed.

Lemma total_variation_excess n p q : distribution n p -> distribution n q ->
  total_variation n p q = excess_mass n p q p - excess_mass n p q q.
Proof.
  intros [_ p_one] [_ q_one]. unfold total_variation.
  enough (Sum n (fun j => Rabs (p j - q j)) =
    (excess_mass n p q p - excess_mass n p q q)
    + ((Sum n q - excess_mass n p q q) - (Sum n p - excess_mass n p q p))) by lra.
  rewrite !excess_mass_rest. unfold excess_mass. rewrite <- !Sum_minus, <- Sum_plus.
  apply Sum_ext. intros j ?. destruct (Rlt_dec (q j) (p j)).
  - rewrite Rabs_pos_eq; lra.
  - rewrite Rabs_left1; lra.
Qed.

(** Two masses a >= b of one event whose odds differ by the factor s^2. *)
Lemma odds_distance a b s : 0 <= a <= 1 -> 0 <= b <= 1 -> 1 <= s ->
  a * (1 - b) <= s ^ 2 * (b * (1 - a)) -> a - b <= (s - 1) / (s + 1).
Proof.
  intros ? ? ? odds.
  set (x := sqrt (a * (1 - b))). set (y := sqrt (b * (1 - a))).
  assert (a_part : 0 <= a * (1 - b)) by (apply Rmult_le_pos; lra).
  assert (b_part : 0 <= b * (1 - a)) by (apply Rmult_le_pos; lra).
  assert (x2 : x * x = a * (1 - b)) by now apply sqrt_sqrt.
  assert (y2 : y * y = b * (1 - a)) by now apply sqrt_sqrt.
  assert (0 <= x) by apply sqrt_pos. assert (0 <= y) by apply sqrt_pos.
  assert (x <= s * y).
  { apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr. nra. }
  assert (x + y <= 1).
  { enough (2 * (x * y) <= a * b + (1 - a) * (1 - b)).
    { apply Rsqr_incr_0_var; [unfold Rsqr|lra]. nra. }
    assert (x * y * (x * y) = a * b * ((1 - a) * (1 - b)))
      by (transitivity (x * x * (y * y)); [ring|]; rewrite x2, y2; ring).
    assert (0 <= a * b) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - a) * (1 - b)) by (apply Rmult_le_pos; lra).
    apply Rsqr_incr_0_var; [unfold Rsqr|lra].
    pose proof (Rle_0_sqr (a * b - (1 - a) * (1 - b))). unfold Rsqr in *. nra. }
  apply Rle_div_r; [lra|].
  assert (difference : a - b = (x - y) * (x + y)) by (ring_simplify; nra).
  rewrite difference.
  assert ((x - y) * (s + 1) <= (s - 1) * (x + y)) by nra.
  assert ((x + y) * ((x - y) * (s + 1)) <= (x + y) * ((s - 1) * (x + y))) by (apply Rmult_le_compat_l; lra).
  assert ((x + y) * (x + y) <= 1) by nra.
  nra.
Qed.

(** The lemma with products in place of quotients, so that no support need be mentioned. *)
Lemma total_variation_cross n p q w : distribution n p -> distribution n q -> 0 <= w ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> p j * q k <= exp w * (q j * p k)) ->
  total_variation n p q <= tanh (w / 4).
Proof.
  intros [p_nonneg p_one] [q_nonneg q_one] w_nonneg cross.
  rewrite total_variation_excess by now split.
  pose proof (excess_mass_range n p q p p_nonneg). pose proof (excess_mass_range n p q q q_nonneg).
  rewrite p_one, q_one in *.
  replace (tanh (w / 4)) with ((exp (w / 2) - 1) / (exp (w / 2) + 1))
    by (rewrite tanh_exp; do 3 f_equal; lra).
  apply odds_distance; try lra.
  - rewrite <- exp_0. destruct w_nonneg as [|<-]; [apply Rlt_le, exp_increasing; lra|].
    right. f_equal. lra.
  - replace (exp (w / 2) ^ 2) with (exp w) by (cbn; rewrite Rmult_1_r, <- exp_plus; f_equal; lra).
    rewrite <- q_one, <- p_one at 1. rewrite !excess_mass_rest.
    unfold excess_mass. rewrite !Sum_product, <- Sum_scale.
    apply Sum_le. intros j ?. rewrite <- Sum_scale. apply Sum_le. intros k ?.
    pose proof (cross j k ltac:(assumption) ltac:(assumption)).
    destruct (Rlt_dec (q j) (p j)), (Rlt_dec (q k) (p k)); lra.
Qed.

(** [diameter.md#tv-lemma] Two distributions with the same support whose log-ratio oscillates by at most w have a
    total variation distance of at most tanh(w/4). *)
Theorem tv_lemma n p q w : distribution n p -> distribution n q -> 0 <= w ->
  (forall j, (j < n)%nat -> 0 < p j <-> 0 < q j) ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> 0 < p j -> 0 < p k ->
    ln (p j / q j) - ln (p k / q k) <= w) ->
  total_variation n p q <= tanh (w / 4).
Proof.
  intros p_dist q_dist w_nonneg support oscillation. apply total_variation_cross; auto.
  destruct p_dist as [p_nonneg _], q_dist as [q_nonneg _]. intros j k ? ?.
  pose proof (p_nonneg j ltac:(assumption)). pose proof (q_nonneg j ltac:(assumption)).
  pose proof (p_nonneg k ltac:(assumption)). pose proof (q_nonneg k ltac:(assumption)).
  pose proof (exp_pos w).
  destruct (Rle_lt_dec (p j) 0); [|destruct (Rle_lt_dec (q k) 0)].
  - replace (p j) with 0 by lra. rewrite Rmult_0_l. apply Rmult_le_pos; [lra|now apply Rmult_le_pos].
  - replace (q k) with 0 by lra. rewrite Rmult_0_r. apply Rmult_le_pos; [lra|now apply Rmult_le_pos].
  - assert (0 < q j) by now apply support. assert (0 < p k) by now apply support.
    specialize (oscillation j k ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)).
    rewrite <- ln_div in oscillation by (apply Rdiv_lt_0_compat; lra).
    assert (ratio : p j / q j / (p k / q k) <= exp w).
    { rewrite <- (exp_ln (p j / q j / (p k / q k))) by (repeat apply Rdiv_lt_0_compat; lra).
      destruct oscillation as [less| ->]; [now apply Rlt_le, exp_increasing|lra]. }
    replace (p j / q j / (p k / q k)) with (p j * q k / (q j * p k)) in ratio by (field; lra).
    apply Rle_div_l in ratio; [lra|]. now apply Rmult_lt_0_compat.
Qed.
