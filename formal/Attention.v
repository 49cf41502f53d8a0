(** Self-attention as defined in docs/theory/README.md: heads with all biases, layers, networks. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Tanh TotalVariation Softmax Norms Diameters.
Open Scope R_scope.

Record head := {
  d_qk : nat;
  d_v : nat;
  W_Q : matrix; (* d x d_qk *)
  W_K : matrix; (* d x d_qk *)
  W_V : matrix; (* d x d_v *)
  W_O : matrix; (* d_v x d' *)
  b_Q : vector;
  b_K : vector;
  b_V : vector
}.

Record layer := {
  head_count : nat;
  heads : nat -> head;
  b_O : vector
}.

Definition transposed (A : matrix) : matrix := fun i k => A k i.

Definition W_QK (h : head) : matrix := product (d_qk h) (W_Q h) (transposed (W_K h)).
Definition W (h : head) : matrix := product (d_v h) (W_V h) (W_O h).

(** X M + 1 b^T for X with d columns. *)
Definition affine (d : nat) (X M : matrix) (b : vector) : matrix := fun i m => product d X M i m + b m.

Section Layer.
Variables (n d : nat).

Definition scores (h : head) (X : matrix) : matrix := fun i j =>
  Sum (d_qk h) (fun m => affine d X (W_Q h) (b_Q h) i m * affine d X (W_K h) (b_K h) j m) / sqrt (INR (d_qk h)).

(** P_h, the softmax of each row of the scores. *)
Definition attention (h : head) (X : matrix) : matrix := fun i => softmax n (scores h X i).

Definition head_output (h : head) (X : matrix) : matrix :=
  product (d_v h) (product n (attention h X) (affine d X (W_V h) (b_V h))) (W_O h).

(** SA(X), the sum of the heads and the output bias. *)
Definition SA (l : layer) (X : matrix) : matrix := fun i k =>
  Sum (head_count l) (fun h => head_output (heads l h) X i k) + b_O l k.

(** (x_i - x_i')^T W_QK (x_j - x_k) / sqrt d_qk: the biases have cancelled. *)
Lemma scores_difference h X i i' j k :
  (scores h X i j - scores h X i' j) - (scores h X i k - scores h X i' k)
  = form d d (W_QK h) (row_difference X i i') (row_difference X j k) / sqrt (INR (d_qk h)).
Proof.
  unfold scores, Rdiv. rewrite <- !Rmult_minus_distr_r. f_equal. rewrite <- !Sum_minus.
  set (s := row_difference X).
  rewrite (Sum_ext _ _ (fun m => Sum d (fun a => Sum d (fun b => s i i' a * (W_Q h a m * W_K h b m) * s j k b)))).
  - rewrite Sum_swap. apply Sum_ext. intros a ?. rewrite Sum_swap. apply Sum_ext. intros b ?.
    unfold W_QK, product, transposed. now rewrite Sum_scale_r, Sum_scale.
  - intros m ?. unfold affine.
    transitivity (Sum d (fun a => s i i' a * W_Q h a m) * Sum d (fun b => s j k b * W_K h b m)).
    + unfold s, row_difference, product.
      rewrite (Sum_ext _ (fun a => (X i a - X i' a) * W_Q h a m) (fun a => X i a * W_Q h a m - X i' a * W_Q h a m))
        by (intros; ring).
      rewrite (Sum_ext _ (fun b => (X j b - X k b) * W_K h b m) (fun b => X j b * W_K h b m - X k b * W_K h b m))
        by (intros; ring).
      rewrite !Sum_minus. ring.
    + rewrite Sum_product. apply Sum_ext. intros. apply Sum_ext. intros. ring.
Qed.

Lemma attention_distribution h X i : (0 < n)%nat -> distribution n (attention h X i).
Proof. intros. now apply softmax_distribution. Qed.

(** The rows of P_h differ little where the differences of tokens meet little score weight. *)
Lemma attention_total_variation h X w : (0 < n)%nat -> 0 <= w ->
  (forall i i' j k, (i < n)%nat -> (i' < n)%nat -> (j < n)%nat -> (k < n)%nat ->
    form d d (W_QK h) (row_difference X i i') (row_difference X j k) / sqrt (INR (d_qk h)) <= w) ->
  forall i i', (i < n)%nat -> (i' < n)%nat ->
    total_variation n (attention h X i) (attention h X i') <= tanh (w / 4).
Proof.
  intros ? ? bound i i' ? ?. apply softmax_total_variation; auto.
  intros. rewrite scores_difference. now apply bound.
Qed.

(** The value biases may be collected: the rows of P_h sum to one. *)
Lemma head_output_row h X i k : (0 < n)%nat ->
  head_output h X i k = Sum n (fun j => attention h X i j * value_map d (W h) (X j) k)
    + Sum (d_v h) (fun m => b_V h m * W_O h m k).
Proof.
  intros. unfold head_output. set (P := attention h X).
  assert (one : Sum n (P i) = 1) by now apply attention_distribution.
  transitivity (Sum n (fun j => P i j * (value_map d (W h) (X j) k + Sum (d_v h) (fun m => b_V h m * W_O h m k)))).
  - unfold product at 1, product at 1.
    rewrite (Sum_ext _ _ (fun m => Sum n (fun j => P i j * (affine d X (W_V h) (b_V h) j m * W_O h m k))))
      by (intros; rewrite <- Sum_scale_r; apply Sum_ext; intros; ring).
    rewrite Sum_swap. apply Sum_ext. intros j ?. rewrite Sum_scale. f_equal.
    unfold affine. rewrite (Sum_ext _ _ (fun m => product d X (W_V h) j m * W_O h m k + b_V h m * W_O h m k))
      by (intros; ring).
    rewrite Sum_plus. f_equal. unfold value_map, W, product.
    rewrite (Sum_ext _ (fun l => X j l * Sum (d_v h) (fun m => W_V h l m * W_O h m k))
      (fun l => Sum (d_v h) (fun m => X j l * W_V h l m * W_O h m k)))
      by (intros; rewrite <- Sum_scale; apply Sum_ext; intros; ring).
    rewrite Sum_swap. apply Sum_ext. intros. now rewrite <- Sum_scale_r.
  - rewrite (Sum_ext _ _ (fun j => P i j * value_map d (W h) (X j) k
      + P i j * Sum (d_v h) (fun m => b_V h m * W_O h m k))) by (intros; ring).
    rewrite Sum_plus, Sum_scale_r, one. lra.
Qed.

Lemma head_output_difference h X i i' : (0 < n)%nat ->
  row_difference (head_output h X) i i'
  = fun k => Sum n (fun j => (attention h X i j - attention h X i' j) * value_map d (W h) (X j) k).
Proof.
  intros. apply functional_extensionality. intros k. unfold row_difference. rewrite !head_output_row by assumption.
  set (P := attention h X).
  rewrite (Sum_ext n (fun j => (P i j - P i' j) * value_map d (W h) (X j) k)
    (fun j => P i j * value_map d (W h) (X j) k - P i' j * value_map d (W h) (X j) k)) by (intros; ring).
  rewrite Sum_minus. ring.
Qed.

(** Heads whose rows have total variation distances of at most t_h, and value maps of norm at most op_h. *)
Lemma layer_diameter (N N' : vector -> R) (l : layer) (X : matrix) (t op : nat -> R) :
  (0 < n)%nat -> seminorm N -> seminorm N' ->
  (forall h i i', (h < head_count l)%nat -> (i < n)%nat -> (i' < n)%nat ->
    total_variation n (attention (heads l h) X i) (attention (heads l h) X i') <= t h) ->
  (forall h v, (h < head_count l)%nat -> N' (value_map d (W (heads l h)) v) <= op h * N v) ->
  diameter_in N' n (SA l X) <= Sum (head_count l) (fun h => op h * t h) * diameter_in N n X.
Proof.
  intros n_pos N_seminorm N'_seminorm close contract.
  set (D := diameter_in N n X).
  assert (pair : forall i i', (i < n)%nat -> (i' < n)%nat ->
    N' (row_difference (SA l X) i i') <= Sum (head_count l) (fun h => op h * t h) * D).
  { intros i i' ? ?.
    replace (row_difference (SA l X) i i')
      with (fun k => Sum (head_count l) (fun h => row_difference (head_output (heads l h) X) i i' k)).
    2: { apply functional_extensionality. intros k. unfold row_difference, SA. rewrite Sum_minus. lra. }
    eapply Rle_trans;
      [apply (seminorm_Sum N' N'_seminorm (head_count l) (fun h => row_difference (head_output (heads l h) X) i i'))|].
    rewrite <- Sum_scale_r. apply Sum_le. intros h ?.
    rewrite head_output_difference by assumption.
    set (Y := fun j => value_map d (W (heads l h)) (X j)).
    eapply Rle_trans; [apply (rows_of_a_product N' n N'_seminorm _ _ Y); now apply attention_distribution|].
    assert (distances : forall j k, (j < n)%nat -> (k < n)%nat ->
      N' (row_difference Y j k) <= op h * N (row_difference X j k)).
    { intros. eapply Rle_trans; [|now apply contract]. right. f_equal.
      apply functional_extensionality. intros c. unfold Y, row_difference, value_map.
      rewrite <- Sum_minus. apply Sum_ext. intros. ring. }
    assert (t_nonneg : 0 <= t h).
    { eapply Rle_trans; [|apply (close h i i'); assumption].
      apply Rmult_le_pos; [lra|]. apply Sum_nonneg. intros. apply Rabs_pos. }
    assert (Y_diameter : diameter_in N' n Y <= op h * D).
    { destruct (Rle_lt_dec 0 (op h)) as [op_nonneg|op_neg].
      - apply diameter_le; [apply Rmult_le_pos; [assumption|apply diameter_nonneg]|].
        intros. eapply Rle_trans; [now apply distances|].
        apply Rmult_le_compat_l; [assumption|now apply distance_le_diameter].
      - assert (all_zero : forall v, N v = 0).
        { intros v. pose proof (contract h v ltac:(assumption)) as below.
          pose proof (seminorm_nonneg N N_seminorm v).
          pose proof (seminorm_nonneg N' N'_seminorm (value_map d (W (heads l h)) v)). nra. }
        assert (D <= 0) by (apply diameter_le; [lra|]; intros; rewrite all_zero; lra).
        assert (D_zero : D = 0) by (pose proof (diameter_nonneg N n X); unfold D in *; lra).
        rewrite D_zero, Rmult_0_r. apply diameter_le; [lra|].
        intros. eapply Rle_trans; [now apply distances|]. rewrite all_zero. lra. }
    apply Rle_trans with (t h * diameter_in N' n Y).
    - apply Rmult_le_compat_r; [apply diameter_nonneg|]. now apply close.
    - replace (op h * t h * D) with (t h * (op h * D)) by ring. now apply Rmult_le_compat_l. }
  apply diameter_le; [|exact pair].
  eapply Rle_trans; [|apply (pair 0%nat 0%nat); assumption]. now apply seminorm_nonneg.
Qed.

End Layer.
