(** An attention map under any mask shrinks the spread of every column. *)
Require Import Reals Lra Lia.
From Rankfall Require Import Sums Tanh TotalVariation Norms Diameters.
Open Scope R_scope.

Lemma entry_seminorm k : seminorm (fun v => Rabs (v k)).
Proof. split; intros; [apply Rabs_triang|apply Rabs_mult]. Qed.

(** The spread of column k of n rows. *)
Definition column_spread (n : nat) (X : matrix) (k : nat) : R := diameter_in (fun v => Rabs (v k)) n X.

(** tau(P), half the largest distance of two rows. *)
Definition ergodicity (n : nat) (P : matrix) : R :=
  largest n (fun i => largest n (fun i' => total_variation n (P i) (P i'))).

Lemma ergodicity_nonneg n P : 0 <= ergodicity n P.
Proof. apply largest_nonneg. Qed.

(** [masks.md#dobrushin] osc_k(P X) <= tau(P) osc_k(X) for a row-stochastic P. *)
Theorem dobrushin n (P X : matrix) k : (forall i, (i < n)%nat -> distribution n (P i)) ->
  column_spread n (product n P X) k <= ergodicity n P * column_spread n X k.
Proof.
  intros stochastic. pose proof (diameter_nonneg (fun v => Rabs (v k)) n X : 0 <= column_spread n X k).
  apply diameter_le; [apply Rmult_le_pos; [apply ergodicity_nonneg|assumption]|]. intros i i' ? ?.
  apply Rle_trans with (total_variation n (P i) (P i') * column_spread n X k).
  - eapply Rle_trans; [|apply (rows_of_a_product _ n (entry_seminorm k) (P i) (P i') X); now apply stochastic].
    right. f_equal. unfold row_difference, product. rewrite <- Sum_minus. apply Sum_ext. intros. ring.
  - apply Rmult_le_compat_r; [assumption|].
    eapply Rle_trans; [now apply (le_largest n (fun i' => total_variation n (P i) (P i')))|].
    now apply (le_largest n (fun i => largest n (fun i' => total_variation n (P i) (P i')))).
Qed.

(** The softmax of a row of scores over the allowed keys. *)
Definition masked_softmax (n : nat) (allowed : nat -> bool) (s : nat -> R) (j : nat) : R :=
  (if allowed j then exp (s j) else 0) / Sum n (fun k => if allowed k then exp (s k) else 0).

(** [masks.md#dobrushin] Equal supports: tau(P) <= tanh(w/4) where the differences S_ij - S_i'j of two rows of scores
    oscillate by at most w over the allowed keys. *)
Theorem dobrushin_scores n (allowed : nat -> bool) (S : matrix) w :
  (exists j, (j < n)%nat /\ allowed j = true) -> 0 <= w ->
  (forall i i' j k, (i < n)%nat -> (i' < n)%nat -> (j < n)%nat -> (k < n)%nat ->
    allowed j = true -> allowed k = true -> (S i j - S i' j) - (S i k - S i' k) <= w) ->
  ergodicity n (fun i => masked_softmax n allowed (S i)) <= tanh (w / 4).
Proof.
  intros [j0 [j0_inside j0_allowed]] w_nonneg small.
  assert (terms : forall s j, 0 <= (if allowed j then exp (s j) else 0)).
  { intros s j. destruct (allowed j); [apply Rlt_le, exp_pos|lra]. }
  assert (normaliser : forall s, 0 < Sum n (fun k => if allowed k then exp (s k) else 0)).
  { intros s. eapply Rlt_le_trans; [apply (exp_pos (s j0))|].
    pose proof (term_le_Sum n (fun k => if allowed k then exp (s k) else 0) j0) as below. cbv beta in below.
    rewrite j0_allowed in below. apply below; auto. }
  assert (dist : forall s, distribution n (masked_softmax n allowed s)).
  { intros s. split.
    - intros. apply Rmult_le_pos; [apply terms|apply Rlt_le, Rinv_0_lt_compat, normaliser].
    - unfold masked_softmax, Rdiv. rewrite Sum_scale_r. apply Rinv_r. specialize (normaliser s). lra. }
  assert (0 <= tanh (w / 4)) by (apply tanh_nonneg; lra).
  apply largest_le; [assumption|]. intros i ?. apply largest_le; [assumption|]. intros i' ?.
  apply total_variation_cross; auto. intros j k ? ?. unfold masked_softmax.
  pose proof (normaliser (S i)) as i_pos. pose proof (normaliser (S i')) as i'_pos.
  set (Z := Sum n (fun k => if allowed k then exp (S i k) else 0)) in *.
  set (Z' := Sum n (fun k => if allowed k then exp (S i' k) else 0)) in *.
  destruct (allowed j) eqn:j_allowed, (allowed k) eqn:k_allowed; unfold Rdiv;
    rewrite ?Rmult_0_l, ?Rmult_0_r, ?Rmult_0_l; try lra.
  replace (exp (S i j) * / Z * (exp (S i' k) * / Z')) with (exp (S i j + S i' k) * (/ Z * / Z'))
    by (rewrite exp_plus; ring).
  replace (exp w * (exp (S i' j) * / Z' * (exp (S i k) * / Z))) with (exp (w + (S i' j + S i k)) * (/ Z * / Z'))
    by (rewrite !exp_plus; ring).
  apply Rmult_le_compat_r; [apply Rmult_le_pos; now apply Rlt_le, Rinv_0_lt_compat|].
  specialize (small i i' j k ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption) j_allowed
    k_allowed).
  assert (order : S i j + S i' k <= w + (S i' j + S i k)) by lra.
  destruct order as [less| ->]; [now apply Rlt_le, exp_increasing|lra].
Qed.
