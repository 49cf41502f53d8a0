(** One layer contracts the diameter of the tokens by a hyperbolic tangent, in each of the norms 1, 2, inf. *)
Require Import Reals Lra Lia.
From Rankfall Require Import Sums Tanh TotalVariation Norms Diameters Attention.
Open Scope R_scope.

(** Every head has a query of at least one entry, so that the score may be divided by sqrt d_qk. *)
Definition queries_nonempty (l : layer) : Prop := forall h, (h < head_count l)%nat -> (0 < d_qk (heads l h))%nat.

Lemma sqrt_width_pos h : (0 < d_qk h)%nat -> 0 < sqrt (INR (d_qk h)).
Proof. intros. apply sqrt_lt_R0. now apply lt_0_INR. Qed.

(** [diameter.md#diameter] The theorem for any norms N, N' of input and output rows, op_h a norm of the value map of
    head h and bil_h one of the bilinear form of its query-key product. *)
Theorem diameter_of_norms (N N' : vector -> R) n d (l : layer) (X : matrix) (op bil : nat -> R) :
  (0 < n)%nat -> queries_nonempty l -> seminorm N -> seminorm N' ->
  (forall h v, (h < head_count l)%nat -> N' (value_map d (W (heads l h)) v) <= op h * N v) ->
  (forall h, (h < head_count l)%nat -> 0 <= bil h) ->
  (forall h u v, (h < head_count l)%nat -> form d d (W_QK (heads l h)) u v <= bil h * (N u * N v)) ->
  diameter_in N' n (SA n d l X) <=
    Sum (head_count l) (fun h => op h * tanh (bil h * diameter_in N n X ^ 2 / (4 * sqrt (INR (d_qk (heads l h))))))
    * diameter_in N n X.
Proof.
  intros n_pos width N_seminorm N'_seminorm contract bil_nonneg bilinear.
  apply layer_diameter; auto. intros h i i' ? ? ?.
  pose proof (sqrt_width_pos _ (width h ltac:(assumption))) as root_pos.
  set (root := sqrt (INR (d_qk (heads l h)))) in *. set (D := diameter_in N n X).
  pose proof (diameter_nonneg N n X : 0 <= D) as D_nonneg.
  replace (bil h * D ^ 2 / (4 * root)) with (bil h * D ^ 2 / root / 4) by (field; lra).
  apply attention_total_variation with (d := d); auto.
  - apply Rmult_le_pos; [|now apply Rlt_le, Rinv_0_lt_compat].
    apply Rmult_le_pos; [now apply bil_nonneg|]. apply pow2_ge_0.
  - intros a a' b b' ? ? ? ?. apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
    eapply Rle_trans; [now apply bilinear|]. apply Rmult_le_compat_l; [now apply bil_nonneg|].
    replace (D ^ 2) with (D * D) by ring.
    apply Rmult_le_compat; auto using seminorm_nonneg; now apply distance_le_diameter.
Qed.

(** [diameter.md#diameter] p = 1: op_1(W) = |W|_inf, bil_1 the largest absolute entry. *)
Theorem diameter_1 n d d' (l : layer) (X : matrix) : (0 < n)%nat -> queries_nonempty l ->
  diam_1 n d' (SA n d l X) <=
    Sum (head_count l) (fun h => norm_inf d d' (W (heads l h))
      * tanh (entry_max d d (W_QK (heads l h)) * diam_1 n d X ^ 2 / (4 * sqrt (INR (d_qk (heads l h))))))
    * diam_1 n d X.
Proof.
  intros. apply diameter_of_norms; auto using abs_1_seminorm, value_map_abs_1, form_abs_1.
  intros. apply largest_nonneg.
Qed.

(** [diameter.md#diameter] p = inf: op_inf(W) = |W|_1, bil_inf the sum of absolute entries. *)
Theorem diameter_inf n d d' (l : layer) (X : matrix) : (0 < n)%nat -> queries_nonempty l ->
  diam_inf n d' (SA n d l X) <=
    Sum (head_count l) (fun h => norm_1 d d' (W (heads l h))
      * tanh (entry_sum d d (W_QK (heads l h)) * diam_inf n d X ^ 2 / (4 * sqrt (INR (d_qk (heads l h))))))
    * diam_inf n d X.
Proof.
  intros. apply diameter_of_norms; auto using abs_inf_seminorm, value_map_abs_inf, form_abs_inf.
  intros. apply Sum_nonneg. intros. apply abs_1_nonneg.
Qed.

(** [diameter.md#diameter] p = 2: op_2(W) any bound of |W^T v|_2/|v|_2 and bil_2 any bound of u^T W_QK v/(|u|_2 |v|_2),
    hence also the least ones, the spectral norms. *)
Theorem diameter_2 n d d' (l : layer) (X : matrix) (op_2 bil_2 : nat -> R) : (0 < n)%nat -> queries_nonempty l ->
  (forall h v, (h < head_count l)%nat -> abs_2 d' (value_map d (W (heads l h)) v) <= op_2 h * abs_2 d v) ->
  (forall h, (h < head_count l)%nat -> 0 <= bil_2 h) ->
  (forall h u v, (h < head_count l)%nat -> form d d (W_QK (heads l h)) u v <= bil_2 h * (abs_2 d u * abs_2 d v)) ->
  diam_2 n d' (SA n d l X) <=
    Sum (head_count l) (fun h => op_2 h
      * tanh (bil_2 h * diam_2 n d X ^ 2 / (4 * sqrt (INR (d_qk (heads l h)))))) * diam_2 n d X.
Proof. intros. apply diameter_of_norms; auto using abs_2_seminorm. Qed.

(** [diameter.md#diameter-cubic] With tanh t <= t a cubic recursion; p in {1, 2, inf} by the same choices of norms. *)
Theorem diameter_cubic (N N' : vector -> R) n d (l : layer) (X : matrix) (op bil : nat -> R) :
  (0 < n)%nat -> queries_nonempty l -> seminorm N -> seminorm N' ->
  (forall h, (h < head_count l)%nat -> 0 <= op h) ->
  (forall h v, (h < head_count l)%nat -> N' (value_map d (W (heads l h)) v) <= op h * N v) ->
  (forall h, (h < head_count l)%nat -> 0 <= bil h) ->
  (forall h u v, (h < head_count l)%nat -> form d d (W_QK (heads l h)) u v <= bil h * (N u * N v)) ->
  diameter_in N' n (SA n d l X) <=
    Sum (head_count l) (fun h => op h * bil h / (4 * sqrt (INR (d_qk (heads l h))))) * diameter_in N n X ^ 3.
Proof.
  intros n_pos width N_seminorm N'_seminorm op_nonneg contract bil_nonneg bilinear.
  eapply Rle_trans; [now apply diameter_of_norms with (N := N) (op := op) (bil := bil)|].
  set (D := diameter_in N n X). pose proof (diameter_nonneg N n X : 0 <= D).
  replace (D ^ 3) with (D ^ 2 * D) by ring. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [assumption|]. rewrite <- Sum_scale_r. apply Sum_le. intros h ?.
  pose proof (sqrt_width_pos _ (width h ltac:(assumption))) as root_pos.
  set (root := sqrt (INR (d_qk (heads l h)))) in *.
  replace (op h * bil h / (4 * root) * D ^ 2) with (op h * (bil h * D ^ 2 / (4 * root))) by (field; lra).
  apply Rmult_le_compat_l; [now apply op_nonneg|]. apply tanh_le_id.
  apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
  apply Rmult_le_pos; [now apply bil_nonneg|]. apply pow2_ge_0.
Qed.
