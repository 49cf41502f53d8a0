(** The residual itself, not one about a propagated reference, where the logits are small. *)
Require Import Reals Lra Lia FunctionalExtensionality Classical.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Chaining Norms Diameters Attention Diameter CompositeDiameter Residual Depth
  ExactReduction LayerSharp LayerCubic Dong.
Open Scope R_scope.

Lemma near_residual n d X b : res n d X < b -> exists y, composite n d (about X y) < b.
Proof.
  intros above. apply NNPP. intros none. destruct (res_is_infimum n d X) as [_ greatest].
  enough (b <= res n d X) by lra. apply greatest. intros y. apply Rnot_lt_le. intros below. apply none. now exists y.
Qed.

Lemma oscillation_le_norm n E i : (i < n)%nat -> oscillation n E i <= 2 * norm_1 n n E.
Proof.
  intros. pose proof (norm_1_nonneg n n E).
  assert (entry : forall j, (j < n)%nat -> Rabs (E i j) <= norm_1 n n E).
  { intros. eapply Rle_trans; [|now apply (column_le_norm_1 n n E j)].
    apply (term_le_Sum n (fun i => Rabs (E i j))); auto using Rabs_pos. }
  apply largest_le; [lra|]. intros j ?. apply largest_le; [lra|]. intros k ?.
  pose proof (entry j ltac:(assumption)). pose proof (entry k ltac:(assumption)).
  pose proof (Rle_abs (E i j)). pose proof (Rle_abs (- E i k)) as opposite. rewrite Rabs_Ropp in opposite. lra.
Qed.

Lemma inverses_vanish : is_lim_seq (fun k => / INR (S k)) 0.
Proof.
  apply (is_lim_seq_inv (fun k => INR (S k)) p_infty); [|discriminate].
  apply (is_lim_seq_incr_1 INR). apply is_lim_seq_INR.
Qed.

(** [dong.md#small-logits] One layer of H heads, all of score weight at most a, with a res(X)^2 < 0.628:
    res(X') <= 4 sqrt(sum_h a_h |W_h|_1 * sum_h a_h |W_h|_inf) res(X)^3. *)
Theorem small_logits_layer n d d' (l : layer) (X : matrix) a : (0 < n)%nat -> queries_nonempty l ->
  (forall h, (h < head_count l)%nat -> score_weight d (heads l h) <= a) ->
  a * res n d X ^ 2 < 0.628 -> 0 <= a ->
  res n d' (SA n d l X) <= 4 * layer_weight d d' l * res n d X ^ 3.
Proof.
  intros n_pos width weights small a_nonneg.
  set (r := res n d X) in *. pose proof (res_nonneg n d X : 0 <= r) as r_nonneg.
  set (K := 4 * layer_weight d d' l).
  assert (K_nonneg : 0 <= K) by (pose proof (layer_weight_nonneg d d' l); unfold K; lra).
  set (b := fun k => r + / INR (S k)).
  assert (b_limit : is_lim_seq b r).
  { replace r with (r + 0) by ring. apply is_lim_seq_plus'; [apply is_lim_seq_const|exact inverses_vanish]. }
  assert (b_above : forall k, r < b k).
  { intros k. unfold b. pose proof (Rinv_0_lt_compat (INR (S k)) (lt_0_INR (S k) ltac:(lia))). lra. }
  assert (cubes : is_lim_seq (fun k => K * b k ^ 3) (K * r ^ 3)).
  { apply (is_lim_seq_continuous (fun x => K * x ^ 3) b r); [reg|exact b_limit]. }
  assert (squares : is_lim_seq (fun k => a * b k ^ 2) (a * r ^ 2)).
  { apply (is_lim_seq_continuous (fun x => a * x ^ 2) b r); [reg|exact b_limit]. }
  assert (room : 0 < 0.628 - a * r ^ 2) by lra.
  apply is_lim_seq_spec in squares. destruct (squares (mkposreal _ room)) as [first near]. cbn in near.
  apply (is_lim_seq_le_loc (fun _ => res n d' (SA n d l X)) (fun k => K * b k ^ 3) (res n d' (SA n d l X)) (K * r ^ 3));
    [|apply is_lim_seq_const|exact cubes].
  exists first. intros k late. specialize (near k late). apply Rabs_def2 in near.
  assert (b_small : a * b k ^ 2 <= 0.628) by (cbn [pow] in *; lra).
  destruct (near_residual n d X (b k) (b_above k)) as [y y_near].
  pose proof (composite_nonneg n d (about X y)). set (c := composite n d (about X y)) in *.
  pose proof (composite_square n d (about X y) : c * c = _) as c_square.
  assert (square_small : a * (c * c) <= 0.628).
  { eapply Rle_trans; [|exact b_small]. apply Rmult_le_compat_l; [assumption|]. nra. }
  assert (under : forall h, (h < head_count l)%nat -> under_1256 n d (heads l h) (about X y)).
  { intros h inside i ?. eapply Rle_trans; [now apply oscillation_le_norm|].
    pose proof (residual_scores_norm n d (heads l h) (about X y) (width h inside)) as E_small.
    rewrite <- c_square in E_small.
    assert (score_weight d (heads l h) * (c * c) <= a * (c * c)) by (apply Rmult_le_compat_r; [nra|now apply weights]).
    lra. }
  apply Rle_trans with (composite n d' (about (SA n d l X) (next_reference n d l y X))); [apply res_is_infimum|].
  replace (about (SA n d l X) (next_reference n d l y X)) with (next_residual n d l y X).
  - eapply Rle_trans; [now apply layer_cubic_heads|]. fold c K. apply Rmult_le_compat_l; [assumption|].
    apply pow_incr. lra.
  - apply functional_extensionality. intros i. apply functional_extensionality. intros k'. symmetry.
    now apply layer_reduced.
Qed.

(** [dong.md#small-logits] L layers: with C_l as above, a res(X^0)^2 < 0.628 and C_l res(X^0)^2 <= 1,
    res(X^L) <= prod_l C_l^(3^(L-1-l)) res(X^0)^(3^L). One head: Theorem 2.2 of the paper for small logits. *)
Theorem small_logits n L width layers X a : (0 < n)%nat -> 0 <= a ->
  (forall l, (l < L)%nat -> queries_nonempty (layers l)) ->
  (forall l h, (l < L)%nat -> (h < head_count (layers l))%nat -> score_weight (width l) (heads (layers l) h) <= a) ->
  let r := fun l => res n (width l) (state n width layers X l) in
  let C := fun l => 4 * layer_weight (width l) (width (S l)) (layers l) in
  a * r 0%nat ^ 2 < 0.628 -> (forall l, (l < L)%nat -> C l * r 0%nat ^ 2 <= 1) ->
  r L <= Prod L (fun l => C l ^ (3 ^ (L - 1 - l))) * r 0%nat ^ (3 ^ L).
Proof.
  intros n_pos a_nonneg queries weights r C small contracting.
  assert (r_nonneg : forall l, 0 <= r l) by (intros; apply res_nonneg).
  assert (C_nonneg : forall l, 0 <= C l).
  { intros l. pose proof (layer_weight_nonneg (width l) (width (S l)) (layers l)). unfold C. lra. }
  assert (square_le : forall l, r l <= r 0%nat -> r l ^ 2 <= r 0%nat ^ 2) by (intros; apply pow_incr; auto).
  assert (step : forall l, (l < L)%nat -> r l <= r 0%nat -> r (S l) <= C l * r l ^ 3).
  { intros l inside below. apply small_logits_layer with (a := a); auto.
    eapply Rle_lt_trans; [|exact small]. apply Rmult_le_compat_l; [assumption|]. now apply square_le. }
  assert (below : forall l, (l <= L)%nat -> r l <= r 0%nat).
  { induction l as [|l IH]; intros; [lra|]. specialize (IH ltac:(lia)).
    eapply Rle_trans; [apply step; [lia|exact IH]|].
    assert (C l * r l ^ 2 <= 1).
    { eapply Rle_trans; [|apply (contracting l); lia]. apply Rmult_le_compat_l; auto. }
    specialize (r_nonneg l). replace (C l * r l ^ 3) with (C l * r l ^ 2 * r l) by ring. nra. }
  apply chaining; auto. intros. apply step; [assumption|]. apply below. lia.
Qed.

(** [dong.md#dong-2.2-v1] One head and one d_qk in every layer, beta at least |W_QK|_1 |W|_{1,inf} of each, small
    logits: res(X^L) <= (4 beta/sqrt d_qk)^((3^L-1)/2) res(X^0)^(3^L), as the paper prints it. *)
Theorem dong_2_2_v1_small_logits n L width layers X a beta d_qk_of_all :
  (0 < n)%nat -> 0 <= a -> (0 < d_qk_of_all)%nat ->
  (forall l, (l < L)%nat -> head_count (layers l) = 1%nat /\ d_qk (heads (layers l) 0) = d_qk_of_all /\
    score_weight (width l) (heads (layers l) 0) <= a /\
    norm_1 (width l) (width l) (W_QK (heads (layers l) 0))
      * composite (width l) (width (S l)) (W (heads (layers l) 0)) <= beta) ->
  let r := fun l => res n (width l) (state n width layers X l) in
  let C := 4 * beta / sqrt (INR d_qk_of_all) in
  a * r 0%nat ^ 2 < 0.628 -> C * r 0%nat ^ 2 <= 1 ->
  r L <= C ^ ((3 ^ L - 1) / 2) * r 0%nat ^ (3 ^ L).
Proof.
  intros n_pos a_nonneg some one_head r C small contracting.
  assert (weight_small : forall l, (l < L)%nat ->
    0 <= 4 * layer_weight (width l) (width (S l)) (layers l) <= C).
  { intros l inside. destruct (one_head l inside) as [one [same [_ bound]]].
    pose proof (layer_weight_nonneg (width l) (width (S l)) (layers l)).
    pose proof (layer_weight_le_beta (width l) (width (S l)) (layers l) beta one ltac:(now rewrite same) bound) as
      below.
    rewrite same in below. unfold C. lra. }
  eapply Rle_trans; [apply (small_logits n L width layers X a); auto|].
  - intros l inside h h_inside. destruct (one_head l inside) as [one [same _]].
    replace h with 0%nat by lia. now rewrite same.
  - intros l h inside h_inside. destruct (one_head l inside) as [one [_ [weight _]]]. now replace h with 0%nat by lia.
  - intros l inside. eapply Rle_trans; [|exact contracting].
    apply Rmult_le_compat_r; [apply pow2_ge_0|now apply weight_small].
  - fold (r 0%nat). apply Rmult_le_compat_r; [apply pow_le, res_nonneg|].
    fold (layers_exponent L). rewrite <- Prod_equal. apply Prod_le. intros l inside.
    destruct (weight_small l inside). split; [now apply pow_le|now apply pow_incr].
Qed.
