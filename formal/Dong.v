(** The paper's depth bound with its constant 4, for H heads, where the logits stay under 1.256. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Chaining Norms Diameters Attention Diameter CompositeDiameter Residual Depth
  ExactReduction LayerSharp LayerCubic.
Open Scope R_scope.

(** |E|_1 <= a |R|_1 |R|_inf. *)
Lemma residual_scores_norm n d h R : (0 < d_qk h)%nat ->
  norm_1 n n (residual_scores d h R) <= score_weight d h * (norm_1 n d R * norm_inf n d R).
Proof.
  intros width. pose proof (sqrt_width_pos h width) as root_pos. set (A := W_QK h).
  pose proof (norm_1_nonneg n d R). pose proof (norm_inf_nonneg n d R). pose proof (norm_1_nonneg d d A).
  apply largest_le; [apply Rmult_le_pos; [now apply score_weight_nonneg|now apply Rmult_le_pos]|]. intros j ?.
  set (root := sqrt (INR (d_qk h))) in *.
  assert (inverse : 0 <= / root) by now apply Rlt_le, Rinv_0_lt_compat.
  apply Rle_trans with
    (Sum n (fun i => Sum d (fun a => Rabs (R i a) * Sum d (fun b => Rabs (A a b) * Rabs (R j b)))) * / root).
  - rewrite <- Sum_scale_r. apply Sum_le. intros i ?. unfold residual_scores, Rdiv. fold root A.
    rewrite Rabs_mult, (Rabs_pos_eq (/ root)) by assumption. apply Rmult_le_compat_r; [assumption|].
    unfold form. eapply Rle_trans; [apply Sum_abs|]. apply Sum_le. intros a ?.
    eapply Rle_trans; [apply Sum_abs|]. rewrite <- Sum_scale. apply Sum_le. intros b ?.
    rewrite !Rabs_mult. lra.
  - unfold score_weight, Rdiv. fold root A.
    replace (norm_1 d d A * / root * (norm_1 n d R * norm_inf n d R))
      with (norm_1 n d R * (norm_1 d d A * norm_inf n d R) * / root) by ring.
    apply Rmult_le_compat_r; [assumption|]. rewrite Sum_swap.
    apply Rle_trans with (Sum d (fun a => norm_1 n d R * Sum d (fun b => Rabs (A a b) * Rabs (R j b)))).
    + apply Sum_le. intros a ?. rewrite Sum_scale_r. apply Rmult_le_compat_r; [|now apply column_le_norm_1].
      apply Sum_nonneg. intros. apply Rmult_le_pos; apply Rabs_pos.
    + rewrite Sum_scale. apply Rmult_le_compat_l; [assumption|]. rewrite Sum_swap.
      apply Rle_trans with (Sum d (fun b => norm_1 d d A * Rabs (R j b))).
      * apply Sum_le. intros b ?. rewrite Sum_scale_r. apply Rmult_le_compat_r; [apply Rabs_pos|].
        now apply column_le_norm_1.
      * rewrite Sum_scale. apply Rmult_le_compat_l; [assumption|]. now apply (row_le_norm_inf n d R).
Qed.

Lemma product_norms n d d' R W : norm_1 n d' (product d R W) <= norm_1 n d R * norm_1 d d' W /\
  norm_inf n d' (product d R W) <= norm_inf n d R * norm_inf d d' W.
Proof.
  pose proof (norm_1_nonneg n d R). pose proof (norm_inf_nonneg n d R).
  pose proof (norm_1_nonneg d d' W). pose proof (norm_inf_nonneg d d' W). split.
  - apply largest_le; [now apply Rmult_le_pos|]. intros k ?.
    apply Rle_trans with (Sum n (fun i => Sum d (fun l => Rabs (R i l) * Rabs (W l k)))).
    + apply Sum_le. intros. unfold product. eapply Rle_trans; [apply Sum_abs|].
      right. apply Sum_ext. intros. apply Rabs_mult.
    + rewrite Sum_swap. apply Rle_trans with (Sum d (fun l => norm_1 n d R * Rabs (W l k))).
      * apply Sum_le. intros. rewrite Sum_scale_r. apply Rmult_le_compat_r; [apply Rabs_pos|].
        now apply column_le_norm_1.
      * rewrite Sum_scale. apply Rmult_le_compat_l; [assumption|now apply column_le_norm_1].
  - apply largest_le; [now apply Rmult_le_pos|]. intros i ?.
    apply Rle_trans with (norm_inf d d' W * abs_1 d (R i)); [apply (value_map_abs_1 d d' W (R i))|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; [assumption|now apply row_le_norm_inf].
Qed.

Lemma composite_square n d R : composite n d R * composite n d R = norm_1 n d R * norm_inf n d R.
Proof. apply sqrt_sqrt, Rmult_le_pos; [apply norm_1_nonneg|apply norm_inf_nonneg]. Qed.

Section Layer.
Variables (n d d' : nat) (l : layer) (x : vector) (X : matrix).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis width : queries_nonempty l.
Hypothesis small : forall h, (h < head_count l)%nat -> under_1256 n d (heads l h) (about X x).

Let R := about X x.
Let P := norm_1 n d R * norm_inf n d R.
Let a := fun h => score_weight d (heads l h).

Lemma square_nonneg : 0 <= P.
Proof. apply Rmult_le_pos; [apply norm_1_nonneg|apply norm_inf_nonneg]. Qed.

Lemma head_columns h : (h < head_count l)%nat ->
  norm_1 n d' (head_residual n d (heads l h) x X) <= 4 * P * norm_1 n d R * (norm_1 d d' (W (heads l h)) * a h).
Proof.
  intros inside. pose proof square_nonneg. pose proof (norm_1_nonneg n d R).
  pose proof (norm_1_nonneg d d' (W (heads l h))).
  assert (0 <= a h) by now apply score_weight_nonneg, width.
  eapply Rle_trans; [now apply residual_columns; [|apply small]|].
  pose proof (residual_scores_norm n d (heads l h) R (width h inside)) as E_small. fold P (a h) in E_small.
  destruct (product_norms n d d' R (W (heads l h))) as [RW_small _].
  pose proof (norm_1_nonneg n n (residual_scores d (heads l h) R)).
  pose proof (norm_1_nonneg n d' (product d R (W (heads l h)))). fold R.
  apply Rle_trans with (4 * (a h * P) * (norm_1 n d R * norm_1 d d' (W (heads l h)))); [|right; ring].
  apply Rmult_le_compat; [lra|assumption|lra|assumption].
Qed.

Lemma head_rows h : (h < head_count l)%nat ->
  norm_inf n d' (head_residual n d (heads l h) x X)
  <= 4 * P * norm_inf n d R * (norm_inf d d' (W (heads l h)) * a h).
Proof.
  intros inside. pose proof square_nonneg. pose proof (norm_inf_nonneg n d R).
  pose proof (norm_inf_nonneg d d' (W (heads l h))).
  assert (0 <= a h) by now apply score_weight_nonneg, width.
  eapply Rle_trans; [now apply residual_rows; [|apply small]|].
  pose proof (residual_scores_norm n d (heads l h) R (width h inside)) as E_small. fold P (a h) in E_small.
  destruct (product_norms n d d' R (W (heads l h))) as [_ RW_small].
  pose proof (norm_1_nonneg n n (residual_scores d (heads l h) R)).
  pose proof (norm_inf_nonneg n d' (product d R (W (heads l h)))). fold R.
  apply Rle_trans with (4 * (a h * P) * (norm_inf n d R * norm_inf d d' (W (heads l h)))); [|right; ring].
  apply Rmult_le_compat; [lra|assumption|lra|assumption].
Qed.

(** [dong.md#dong-2.3-repaired] One layer under 1.256, constant c = 4; for one head this is layer-cubic. *)
Theorem layer_cubic_heads :
  composite n d' (next_residual n d l x X) <= 4 * layer_weight d d' l * composite n d R ^ 3.
Proof.
  pose proof square_nonneg. pose proof (norm_1_nonneg n d R). pose proof (norm_inf_nonneg n d R).
  assert (a_nonneg : forall h, (h < head_count l)%nat -> 0 <= a h) by (intros; now apply score_weight_nonneg, width).
  destruct (heads_norms_nonneg d d' l a a_nonneg) as [heads_1 heads_inf].
  assert (columns : norm_1 n d' (next_residual n d l x X) <= 4 * P * norm_1 n d R * heads_norm_1 d d' l a).
  { apply largest_le; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]|]. intros k ?.
    apply Rle_trans with (Sum n (fun i => Sum (head_count l) (fun h => Rabs (head_residual n d (heads l h) x X i k)))).
    { unfold next_residual. apply Sum_le. intros. apply Sum_abs. }
    rewrite Sum_swap. unfold heads_norm_1. rewrite <- Sum_scale. apply Sum_le. intros h ?.
    eapply Rle_trans; [now apply (column_le_norm_1 n d' (head_residual n d (heads l h) x X) k)|now apply
      head_columns]. }
  assert (rows : norm_inf n d' (next_residual n d l x X) <= 4 * P * norm_inf n d R * heads_norm_inf d d' l a).
  { apply largest_le; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]|]. intros i ?.
    apply Rle_trans with (Sum d' (fun k => Sum (head_count l) (fun h => Rabs (head_residual n d (heads l h) x X i k)))).
    { unfold next_residual, abs_1. apply Sum_le. intros. apply Sum_abs. }
    rewrite Sum_swap. unfold heads_norm_inf. rewrite <- Sum_scale. apply Sum_le. intros h ?.
    eapply Rle_trans; [now apply (row_le_norm_inf n d' (head_residual n d (heads l h) x X))|now apply head_rows]. }
  set (c := composite n d R). pose proof (composite_nonneg n d R : 0 <= c).
  pose proof (composite_square n d R : c * c = P) as c_square.
  replace (4 * layer_weight d d' l * c ^ 3) with (4 * P * c * layer_weight d d' l) by (rewrite <- c_square; ring).
  unfold layer_weight. fold a. set (h1 := heads_norm_1 d d' l a) in *. set (hi := heads_norm_inf d d' l a) in *.
  assert (0 <= 4 * P * c) by (apply Rmult_le_pos; lra).
  rewrite <- (sqrt_square (4 * P * c)) by assumption.
  rewrite <- sqrt_mult; [|now apply Rmult_le_pos|now apply Rmult_le_pos]. apply sqrt_le_1_alt.
  replace (4 * P * c * (4 * P * c) * (h1 * hi)) with (4 * P * (4 * P) * (c * c) * (h1 * hi)) by ring.
  rewrite c_square. unfold P at 3.
  replace (4 * P * (4 * P) * (norm_1 n d R * norm_inf n d R) * (h1 * hi))
    with (4 * P * norm_1 n d R * h1 * (4 * P * norm_inf n d R * hi)) by ring.
  apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg.
Qed.

End Layer.

(** The references that a network makes of a first one. *)
Fixpoint reference (n : nat) (width : nat -> nat) (layers : nat -> layer) (X : matrix) (y : vector) (l : nat) :
  vector :=
  match l with
  | O => y
  | S m => next_reference n (width m) (layers m) (reference n width layers X y m) (state n width layers X m)
  end.

(** [dong.md#dong-2.3-repaired] L layers of H heads, each under 1.256 at the propagated reference: with
    C_l = 4 sqrt(sum_h a_h |W_h|_1 * sum_h a_h |W_h|_inf), res(X^L) <= |R_L| <= prod_l C_l^(3^(L-1-l)) |R_0|^(3^L) in
    the composite. With one head C_l = 4 a |W|_{1,inf}: Theorem 2.2 of the paper where its logits are small. *)
Theorem dong_repaired n L width layers X y : (0 < n)%nat ->
  let R := fun l => about (state n width layers X l) (reference n width layers X y l) in
  (forall l, (l < L)%nat -> queries_nonempty (layers l)) ->
  (forall l h, (l < L)%nat -> (h < head_count (layers l))%nat -> under_1256 n (width l) (heads (layers l) h) (R l)) ->
  let C := fun l => 4 * layer_weight (width l) (width (S l)) (layers l) in
  res n (width L) (state n width layers X L) <= composite n (width L) (R L) /\
  composite n (width L) (R L) <=
    Prod L (fun l => C l ^ (3 ^ (L - 1 - l))) * composite n (width 0%nat) (about X y) ^ (3 ^ L).
Proof.
  intros n_pos R queries small C. split; [apply res_is_infimum|].
  apply (chaining (fun l => composite n (width l) (R l)) C).
  - intros. apply composite_nonneg.
  - intros. pose proof (layer_weight_nonneg (width l) (width (S l)) (layers l)). unfold C. lra.
  - intros l inside. replace (R (S l)) with
      (next_residual n (width l) (layers l) (reference n width layers X y l) (state n width layers X l)).
    + apply layer_cubic_heads; auto. intros. now apply small.
    + apply functional_extensionality. intros i. apply functional_extensionality. intros k.
      symmetry. now apply layer_reduced.
Qed.
