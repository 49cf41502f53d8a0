(** Sums and maxima over the indices 0, ..., n - 1. *)
Require Import Reals Lra Lia.
Open Scope R_scope.

Fixpoint Sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => Sum m f + f m
  end.

(** The largest value, and 0 where all values are below 0: used for absolute values only. *)
Fixpoint largest (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => Rmax (largest m f) (f m)
  end.

Fixpoint Prod (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 1
  | S m => Prod m f * f m
  end.

Section Sums.
Implicit Types (f g : nat -> R) (c b : R).

Lemma Sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Sum n f = Sum n g.
Proof.
  induction n as [|n IH]; intros same; [reflexivity|].
  cbn. rewrite IH by (intros; apply same; lia). now rewrite same by lia.
Qed.

Lemma Sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> Sum n f <= Sum n g.
Proof.
  induction n as [|n IH]; intros below; cbn; [lra|].
  apply Rplus_le_compat; [apply IH; intros|]; apply below; lia.
Qed.

Lemma Sum_const n c : Sum n (fun _ => c) = INR n * c.
Proof.
  induction n as [|n IH]; [cbn; lra|]. rewrite S_INR. cbn [Sum]. rewrite IH. lra.
Qed.

Lemma Sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> Sum n f = 0.
Proof.
  intros zero. rewrite (Sum_ext _ _ (fun _ => 0)) by exact zero. rewrite Sum_const. lra.
Qed.

Lemma Sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= Sum n f.
Proof.
  intros above. replace 0 with (Sum n (fun _ => 0)) by (rewrite Sum_const; lra).
  now apply Sum_le.
Qed.

Lemma Sum_plus n f g : Sum n (fun i => f i + g i) = Sum n f + Sum n g.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_minus n f g : Sum n (fun i => f i - g i) = Sum n f - Sum n g.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_scale n c f : Sum n (fun i => c * f i) = c * Sum n f.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_scale_r n c f : Sum n (fun i => f i * c) = Sum n f * c.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_swap n m (f : nat -> nat -> R) :
  Sum n (fun i => Sum m (fun j => f i j)) = Sum m (fun j => Sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; cbn.
  - symmetry. now apply Sum_zero.
  - now rewrite IH, <- Sum_plus.
Qed.

Lemma Sum_product n m f g : Sum n f * Sum m g = Sum n (fun i => Sum m (fun j => f i * g j)).
Proof.
  rewrite <- Sum_scale_r. apply Sum_ext. intros. symmetry. apply Sum_scale.
Qed.

Lemma Sum_abs n f : Rabs (Sum n f) <= Sum n (fun i => Rabs (f i)).
Proof.
  induction n as [|n IH]; cbn; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma Sum_pos n f : (0 < n)%nat -> (forall i, (i < n)%nat -> 0 < f i) -> 0 < Sum n f.
Proof.
  destruct n as [|n]; [lia|]. intros _ above. cbn.
  apply Rplus_le_lt_0_compat; [|apply above; lia].
  apply Sum_nonneg. intros. apply Rlt_le, above. lia.
Qed.

Lemma term_le_Sum n f i : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> f i <= Sum n f.
Proof.
  induction n as [|n IH]; intros above below; [lia|]. cbn.
  assert (0 <= f n) by (apply above; lia).
  assert (0 <= Sum n f) by (apply Sum_nonneg; intros; apply above; lia).
  destruct (Nat.eq_dec i n) as [->|]; [lra|].
  enough (f i <= Sum n f) by lra. apply IH; [intros; apply above|]; lia.
Qed.

Lemma two_terms_le_Sum n f i j : (forall k, (k < n)%nat -> 0 <= f k) ->
  (i < n)%nat -> (j < n)%nat -> i <> j -> f i + f j <= Sum n f.
Proof.
  induction n as [|n IH]; intros above ? ? apart; [lia|]. cbn.
  assert (0 <= f n) by (apply above; lia).
  assert (all : forall k, (k < n)%nat -> 0 <= f k) by (intros; apply above; lia).
  destruct (Nat.eq_dec i n) as [->|]; [|destruct (Nat.eq_dec j n) as [->|]].
  - enough (f j <= Sum n f) by lra. apply term_le_Sum; [exact all|lia].
  - enough (f i <= Sum n f) by lra. apply term_le_Sum; [exact all|lia].
  - enough (f i + f j <= Sum n f) by lra. apply IH; auto; lia.
Qed.

(** A sum in which one term vanishes. *)
Lemma Sum_but_one n f i b : (i < n)%nat -> f i = 0 ->
  (forall j, (j < n)%nat -> f j <= b) -> Sum n f <= (INR n - 1) * b.
Proof.
  intros inside zero below.
  assert (bound : forall m, (m <= n)%nat ->
    Sum m f <= (if le_lt_dec m i then INR m * b else (INR m - 1) * b)).
  { induction m as [|m IH]; intros small.
    - cbn. destruct (le_lt_dec 0 i); [lra|lia].
    - assert (f m <= b) by (apply below; lia). specialize (IH ltac:(lia)).
      rewrite S_INR. cbn [Sum].
      destruct (le_lt_dec m i), (le_lt_dec (S m) i); try lia; try lra.
      replace m with i in * by lia. lra. }
  specialize (bound n (le_n n)). destruct (le_lt_dec n i); [lia|exact bound].
Qed.

Lemma Sum_one n f i : (i < n)%nat -> (forall j, (j < n)%nat -> j <> i -> f j = 0) -> Sum n f = f i.
Proof.
  induction n as [|n IH]; intros inside zero; [lia|]. cbn.
  destruct (Nat.eq_dec i n) as [->|].
  - rewrite Sum_zero; [lra|]. intros. apply zero; lia.
  - rewrite IH, (zero n); [lra|lia|lia|lia|]. intros; apply zero; lia.
Qed.

End Sums.

Section Largest.
Implicit Types (f g : nat -> R) (b : R).

Lemma largest_nonneg n f : 0 <= largest n f.
Proof.
  induction n as [|n IH]; cbn; [lra|]. eapply Rle_trans; [exact IH|apply Rmax_l].
Qed.

Lemma le_largest n f i : (i < n)%nat -> f i <= largest n f.
Proof.
  induction n as [|n IH]; intros inside; [lia|]. cbn.
  destruct (Nat.eq_dec i n) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.

Lemma largest_le n f b : 0 <= b -> (forall i, (i < n)%nat -> f i <= b) -> largest n f <= b.
Proof.
  induction n as [|n IH]; intros ? below; cbn; [lra|].
  apply Rmax_lub; [apply IH; auto|]; intros; apply below; lia.
Qed.

Lemma largest_scale n c f : 0 <= c -> largest n (fun i => c * f i) = c * largest n f.
Proof.
  intros. induction n as [|n IH]; cbn; [lra|]. now rewrite IH, RmaxRmult.
Qed.

Lemma least_index n f : (0 < n)%nat -> exists i, (i < n)%nat /\ forall j, (j < n)%nat -> f i <= f j.
Proof.
  induction n as [|[|n] IH]; intros; [lia| |].
  - exists O. split; [lia|]. intros j ?. replace j with O by lia. lra.
  - destruct IH as [i [inside least]]; [lia|].
    destruct (Rle_lt_dec (f i) (f (S n))).
    + exists i. split; [lia|]. intros j ?. destruct (Nat.eq_dec j (S n)) as [->|]; [lra|].
      apply least; lia.
    + exists (S n). split; [lia|]. intros j ?. destruct (Nat.eq_dec j (S n)) as [->|]; [lra|].
      enough (f i <= f j) by lra. apply least; lia.
Qed.

End Largest.

Section Products.
Implicit Types (f g : nat -> R).

Lemma Prod_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Prod n f = Prod n g.
Proof.
  induction n as [|n IH]; intros same; [reflexivity|].
  cbn. rewrite IH by (intros; apply same; lia). now rewrite same by lia.
Qed.

Lemma Prod_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= Prod n f.
Proof.
  induction n as [|n IH]; intros above; cbn; [lra|].
  apply Rmult_le_pos; [apply IH; intros|]; apply above; lia.
Qed.

Lemma Prod_le n f g : (forall i, (i < n)%nat -> 0 <= f i <= g i) -> Prod n f <= Prod n g.
Proof.
  induction n as [|n IH]; intros between; cbn; [lra|].
  apply Rmult_le_compat; [apply Prod_nonneg; intros; apply between; lia|apply between; lia| |apply between; lia].
  apply IH. intros. apply between. lia.
Qed.

Lemma Prod_pow n f k : Prod n f ^ k = Prod n (fun i => f i ^ k).
Proof.
  induction n as [|n IH]; cbn; [apply pow1|]. now rewrite Rpow_mult_distr, IH.
Qed.

End Products.
