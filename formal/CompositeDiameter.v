(** One layer contracts the composite diameter; the columns and the rows are bounded by the same tangents. *)
Require Import Reals Lra Lia.
From Rankfall Require Import Sums Tanh TotalVariation Norms Diameters Attention Diameter.
Open Scope R_scope.

(** a_h = |W_QK,h|_1 / sqrt d_qk. *)
Definition score_weight (d : nat) (h : head) : R := norm_1 d d (W_QK h) / sqrt (INR (d_qk h)).

Lemma score_weight_nonneg d h : (0 < d_qk h)%nat -> 0 <= score_weight d h.
Proof.
  intros. apply Rmult_le_pos; [apply norm_1_nonneg|]. now apply Rlt_le, Rinv_0_lt_compat, sqrt_width_pos.
Qed.

(** sum_h |W_h|_1 f_h and sum_h |W_h|_inf f_h. *)
Definition heads_norm_1 (d d' : nat) (l : layer) (f : nat -> R) : R :=
  Sum (head_count l) (fun h => norm_1 d d' (W (heads l h)) * f h).
Definition heads_norm_inf (d d' : nat) (l : layer) (f : nat -> R) : R :=
  Sum (head_count l) (fun h => norm_inf d d' (W (heads l h)) * f h).

Lemma heads_norms_nonneg d d' l f : (forall h, (h < head_count l)%nat -> 0 <= f h) ->
  0 <= heads_norm_1 d d' l f /\ 0 <= heads_norm_inf d d' l f.
Proof.
  intros. split; apply Sum_nonneg; intros; apply Rmult_le_pos; auto using norm_1_nonneg, norm_inf_nonneg.
Qed.

Lemma heads_norms_le d d' l f g : (forall h, (h < head_count l)%nat -> f h <= g h) ->
  heads_norm_1 d d' l f <= heads_norm_1 d d' l g /\ heads_norm_inf d d' l f <= heads_norm_inf d d' l g.
Proof.
  intros. split; apply Sum_le; intros; apply Rmult_le_compat_l; auto using norm_1_nonneg, norm_inf_nonneg.
Qed.

Lemma heads_norms_scale d d' l f c :
  heads_norm_1 d d' l (fun h => f h * c) = heads_norm_1 d d' l f * c /\
  heads_norm_inf d d' l (fun h => f h * c) = heads_norm_inf d d' l f * c.
Proof.
  unfold heads_norm_1, heads_norm_inf. rewrite <- !Sum_scale_r. split; apply Sum_ext; intros; ring.
Qed.

(** [diameter.md#composite-diameter] One layer with H heads, without any condition:
    delta(X') <= sqrt(sum_h |W_h|_1 t_h * sum_h |W_h|_inf t_h) delta(X), t_h = tanh(a_h delta(X)^2/4). *)
Theorem composite_diameter n d d' (l : layer) (X : matrix) : (0 < n)%nat -> queries_nonempty l ->
  let t := fun h => tanh (score_weight d (heads l h) * delta n d X ^ 2 / 4) in
  delta n d' (SA n d l X) <= sqrt (heads_norm_1 d d' l t * heads_norm_inf d d' l t) * delta n d X.
Proof.
  intros n_pos width t.
  assert (argument : forall h, (h < head_count l)%nat -> 0 <= score_weight d (heads l h) * delta n d X ^ 2).
  { intros. apply Rmult_le_pos; [now apply score_weight_nonneg, width|apply pow2_ge_0]. }
  assert (close : forall h i i', (h < head_count l)%nat -> (i < n)%nat -> (i' < n)%nat ->
    total_variation n (attention n d (heads l h) X i) (attention n d (heads l h) X i') <= t h).
  { intros h i i' ? ? ?. apply attention_total_variation with (d := d); auto.
    intros a a' b b' ? ? ? ?. rewrite delta_square. unfold score_weight.
    pose proof (sqrt_width_pos _ (width h ltac:(assumption))) as root_pos.
    set (root := sqrt (INR (d_qk (heads l h)))) in *.
    replace (norm_1 d d (W_QK (heads l h)) / root * (diam_1 n d X * diam_inf n d X))
      with (norm_1 d d (W_QK (heads l h)) * (diam_inf n d X * diam_1 n d X) / root) by (field; lra).
    apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
    eapply Rle_trans; [apply form_mixed|]. apply Rmult_le_compat_l; [apply norm_1_nonneg|].
    apply Rmult_le_compat; auto using abs_inf_nonneg, abs_1_nonneg;
      [now apply (distance_le_diameter (abs_inf d))|now apply (distance_le_diameter (abs_1 d))]. }
  assert (t_nonneg : forall h, (h < head_count l)%nat -> 0 <= t h).
  { intros. apply tanh_nonneg. specialize (argument h ltac:(assumption)). lra. }
  destruct (heads_norms_nonneg d d' l t t_nonneg).
  assert (columns : diam_inf n d' (SA n d l X) <= heads_norm_1 d d' l t * diam_inf n d X).
  { apply layer_diameter; auto using abs_inf_seminorm, value_map_abs_inf. }
  assert (rows : diam_1 n d' (SA n d l X) <= heads_norm_inf d d' l t * diam_1 n d X).
  { apply layer_diameter; auto using abs_1_seminorm, value_map_abs_1. }
  pose proof (diameter_nonneg (abs_1 d) n X : 0 <= diam_1 n d X).
  pose proof (diameter_nonneg (abs_inf d) n X : 0 <= diam_inf n d X).
  unfold delta. rewrite <- sqrt_mult; try now apply Rmult_le_pos. apply sqrt_le_1_alt.
  replace (heads_norm_1 d d' l t * heads_norm_inf d d' l t * (diam_1 n d X * diam_inf n d X))
    with (heads_norm_inf d d' l t * diam_1 n d X * (heads_norm_1 d d' l t * diam_inf n d X)) by ring.
  apply Rmult_le_compat; auto; apply diameter_nonneg.
Qed.

(** The cubic constant sqrt(sum_h a_h |W_h|_1 * sum_h a_h |W_h|_inf) of a layer, without its factor 1/4. *)
Definition layer_weight (d d' : nat) (l : layer) : R :=
  let a := fun h => score_weight d (heads l h) in
  sqrt (heads_norm_1 d d' l a * heads_norm_inf d d' l a).

Lemma layer_weight_nonneg d d' l : 0 <= layer_weight d d' l.
Proof. apply sqrt_pos. Qed.

Lemma layer_weight_one_head d d' l : head_count l = 1%nat -> (0 < d_qk (heads l 0%nat))%nat ->
  layer_weight d d' l = score_weight d (heads l 0%nat) * composite d d' (W (heads l 0%nat)).
Proof.
  intros one query. unfold layer_weight, heads_norm_1, heads_norm_inf. rewrite one. cbn [Sum]. rewrite !Rplus_0_l.
  pose proof (score_weight_nonneg d _ query). set (a := score_weight d (heads l 0%nat)) in *.
  set (columns := norm_1 d d' (W (heads l 0%nat))). set (rows := norm_inf d d' (W (heads l 0%nat))).
  replace (columns * a * (rows * a)) with (a * a * (columns * rows)) by ring.
  rewrite sqrt_mult; [|now apply Rmult_le_pos|apply Rmult_le_pos; [apply norm_1_nonneg|apply norm_inf_nonneg]].
  now rewrite sqrt_square.
Qed.

(** beta / sqrt d_qk bounds the weight of a layer with one head. *)
Lemma layer_weight_le_beta d d' l beta : head_count l = 1%nat -> (0 < d_qk (heads l 0%nat))%nat ->
  norm_1 d d (W_QK (heads l 0%nat)) * composite d d' (W (heads l 0%nat)) <= beta ->
  layer_weight d d' l <= beta / sqrt (INR (d_qk (heads l 0%nat))).
Proof.
  intros one query bound. rewrite layer_weight_one_head by assumption. unfold score_weight.
  pose proof (sqrt_width_pos _ query) as root. set (root_d := sqrt (INR (d_qk (heads l 0%nat)))) in *.
  unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ root_d)), <- Rmult_assoc.
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|assumption].
Qed.

(** [diameter.md#composite-diameter] The cubic recursion of the composite diameter. *)
Theorem composite_diameter_cubic n d d' (l : layer) (X : matrix) : (0 < n)%nat -> queries_nonempty l ->
  delta n d' (SA n d l X) <= layer_weight d d' l / 4 * delta n d X ^ 3.
Proof.
  intros n_pos width. eapply Rle_trans; [now apply composite_diameter|].
  set (D := delta n d X). pose proof (delta_nonneg n d X : 0 <= D).
  set (a := fun h => score_weight d (heads l h)).
  assert (a_nonneg : forall h, (h < head_count l)%nat -> 0 <= a h) by (intros; now apply score_weight_nonneg, width).
  set (s := fun h => a h * (D ^ 2 / 4)).
  assert (square_nonneg : 0 <= D ^ 2 / 4) by (pose proof (pow2_ge_0 D); lra).
  assert (below : forall h, (h < head_count l)%nat -> tanh (a h * D ^ 2 / 4) <= s h).
  { intros. unfold s. replace (a h * D ^ 2 / 4) with (a h * (D ^ 2 / 4)) by lra.
    apply tanh_le_id. apply Rmult_le_pos; auto. }
  destruct (heads_norms_le d d' l (fun h => tanh (a h * D ^ 2 / 4)) s below) as [below_1 below_inf].
  destruct (heads_norms_nonneg d d' l (fun h => tanh (a h * D ^ 2 / 4))).
  { intros. apply tanh_nonneg. replace (a h * D ^ 2 / 4) with (a h * (D ^ 2 / 4)) by lra. apply Rmult_le_pos; auto. }
  replace (D ^ 3) with (D ^ 2 * D) by ring. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [assumption|].
  apply Rle_trans with (sqrt (heads_norm_1 d d' l s * heads_norm_inf d d' l s)).
  { apply sqrt_le_1_alt. now apply Rmult_le_compat. }
  unfold s. destruct (heads_norms_scale d d' l a (D ^ 2 / 4)) as [-> ->].
  destruct (heads_norms_nonneg d d' l a a_nonneg).
  replace (heads_norm_1 d d' l a * (D ^ 2 / 4) * (heads_norm_inf d d' l a * (D ^ 2 / 4)))
    with (heads_norm_1 d d' l a * heads_norm_inf d d' l a * (D ^ 2 / 4 * (D ^ 2 / 4))) by ring.
  rewrite sqrt_mult; [|now apply Rmult_le_pos|now apply Rmult_le_pos].
  rewrite sqrt_square by assumption. unfold layer_weight. fold a. lra.
Qed.
