(** The closed form of the cubic recursion. *)
Require Import Reals Lra Lia.
From Rankfall Require Import Sums.
Open Scope R_scope.

(** The exponent (3^L - 1)/2, which the sum of the exponents of all layers is. *)
Definition layers_exponent (L : nat) : nat := Nat.div (3 ^ L - 1) 2.

Lemma layers_exponent_S L : layers_exponent (S L) = (3 * layers_exponent L + 1)%nat.
Proof.
  assert (odd : exists k, (3 ^ L = 2 * k + 1)%nat).
  { clear. induction L as [|L [k IH]]; [now exists 0%nat|]. exists (3 * k + 1)%nat. cbn. lia. }
  destruct odd as [k odd]. unfold layers_exponent.
  replace (3 ^ S L - 1)%nat with ((3 * k + 1) * 2)%nat by (cbn [Nat.pow]; lia).
  replace (3 ^ L - 1)%nat with (k * 2)%nat by lia.
  now rewrite !Nat.div_mul by lia.
Qed.

(** [dong.md#chaining] With r_(l+1) <= C_l r_l^3 for l < L: r_L <= prod_(l < L) C_l^(3^(L-1-l)) r_0^(3^L). *)
Theorem chaining (r C : nat -> R) L :
  (forall l, (l <= L)%nat -> 0 <= r l) -> (forall l, (l < L)%nat -> 0 <= C l) ->
  (forall l, (l < L)%nat -> r (S l) <= C l * r l ^ 3) ->
  r L <= Prod L (fun l => C l ^ (3 ^ (L - 1 - l))) * r 0%nat ^ (3 ^ L).
Proof.
  induction L as [|L IH]; intros r_nonneg C_nonneg step; [cbn; lra|].
  eapply Rle_trans; [apply step; lia|].
  assert (before : r L <= Prod L (fun l => C l ^ (3 ^ (L - 1 - l))) * r 0%nat ^ (3 ^ L))
    by (apply IH; intros; [apply r_nonneg|apply C_nonneg|apply step]; lia).
  eapply Rle_trans.
  { apply Rmult_le_compat_l; [apply C_nonneg; lia|].
    apply pow_incr. split; [apply r_nonneg; lia|exact before]. }
  rewrite Rpow_mult_distr, Prod_pow, <- pow_mult.
  replace (3 ^ S L)%nat with (3 ^ L * 3)%nat by (cbn; lia). cbn [Prod].
  replace (S L - 1 - L)%nat with 0%nat by lia. cbn [Nat.pow]. rewrite pow_1.
  apply Req_le.
  rewrite (Prod_ext L (fun l => C l ^ (3 ^ (S L - 1 - l))) (fun l => (C l ^ (3 ^ (L - 1 - l))) ^ 3)); [ring|].
  intros. rewrite <- pow_mult. f_equal.
  replace (S L - 1 - i)%nat with (S (L - 1 - i)) by lia. cbn. lia.
Qed.

Lemma Prod_equal (C : R) L : Prod L (fun l => C ^ (3 ^ (L - 1 - l))) = C ^ layers_exponent L.
Proof.
  induction L as [|L IH]; [reflexivity|].
  rewrite layers_exponent_S, Nat.add_comm, pow_add, pow_1, Nat.mul_comm, pow_mult, <- IH, Prod_pow.
  cbn [Prod]. replace (S L - 1 - L)%nat with 0%nat by lia. cbn [Nat.pow]. rewrite pow_1, Rmult_comm. f_equal.
  apply Prod_ext. intros. rewrite <- pow_mult. f_equal.
  replace (S L - 1 - i)%nat with (S (L - 1 - i)) by lia. cbn. lia.
Qed.

(** [dong.md#chaining] Equal constants: r_L <= C^((3^L-1)/2) r_0^(3^L). *)
Theorem chaining_equal (r : nat -> R) (C : R) L :
  (forall l, (l <= L)%nat -> 0 <= r l) -> 0 <= C ->
  (forall l, (l < L)%nat -> r (S l) <= C * r l ^ 3) ->
  r L <= C ^ ((3 ^ L - 1) / 2) * r 0%nat ^ (3 ^ L).
Proof.
  intros r_nonneg C_nonneg step. fold (layers_exponent L). rewrite <- Prod_equal.
  apply chaining; auto.
Qed.

(** [dong.md#chaining] The same in the form (sqrt C r_0)^(3^L) / sqrt C, which shows when it tends to 0. *)
Theorem chaining_equal_form (C r0 : R) L : 0 < C ->
  C ^ ((3 ^ L - 1) / 2) * r0 ^ (3 ^ L) = (sqrt C * r0) ^ (3 ^ L) / sqrt C.
Proof.
  intros. assert (0 < sqrt C) by now apply sqrt_lt_R0.
  rewrite Rpow_mult_distr. fold (layers_exponent L).
  assert (exponent : (3 ^ L = 2 * layers_exponent L + 1)%nat).
  { induction L as [|L IH]; [reflexivity|]. rewrite layers_exponent_S. cbn [Nat.pow]. lia. }
  assert (power : sqrt C ^ (3 ^ L) = C ^ layers_exponent L * sqrt C).
  { rewrite exponent, pow_add, pow_1, pow_mult. f_equal. f_equal. apply pow2_sqrt. lra. }
  rewrite power. field. lra.
Qed.
