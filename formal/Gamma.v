(** Theorem 2.2 of the paper with a factor gamma read off the scores, one head, no condition on the logits. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Chaining Norms Diameters Attention Diameter CompositeDiameter Residual Depth
  ExactReduction LayerSharp Dong.
Open Scope R_scope.

(** gamma |E|_1 is at least half the sum of the oscillations: `sum-max` is the least such gamma. *)
Definition admissible_gamma (n : nat) (E : matrix) (gamma : R) : Prop :=
  0 <= gamma /\ Sum n (oscillation n E) <= 2 * (gamma * norm_1 n n E).

(** [gammas.md#gamma-max-ratio] `max-ratio`, sum_i max_j |E_ij| / |E|_1, is admissible too. *)
Theorem max_ratio_admissible n E gamma : 0 <= gamma ->
  Sum n (fun i => abs_inf n (E i)) <= gamma * norm_1 n n E -> admissible_gamma n E gamma.
Proof.
  intros gamma_nonneg ratio. split; [assumption|].
  apply Rle_trans with (2 * Sum n (fun i => abs_inf n (E i))); [|lra].
  rewrite <- Sum_scale. apply Sum_le. intros i ?. pose proof (abs_inf_nonneg n (E i)).
  apply largest_le; [lra|]. intros j ?. apply largest_le; [lra|]. intros k ?.
  pose proof (abs_inf_entry n (E i) j ltac:(assumption)). pose proof (abs_inf_entry n (E i) k ltac:(assumption)).
  pose proof (Rle_abs (E i j)). pose proof (Rle_abs (- E i k)) as opposite. rewrite Rabs_Ropp in opposite. lra.
Qed.

Lemma layer_gamma n d d' h x X gamma : (0 < n)%nat -> (0 < d_qk h)%nat ->
  admissible_gamma n (residual_scores d h (about X x)) gamma ->
  composite n d' (head_residual n d h x X) <=
    gamma / sqrt 2 * (score_weight d h * composite d d' (W h)) * composite n d (about X x) ^ 3.
Proof.
  intros n_pos width [gamma_nonneg enough_]. set (R := about X x) in *. set (E := residual_scores d h R) in *.
  assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (inverse : 0 < / sqrt 2) by now apply Rinv_0_lt_compat.
  set (rho := oscillation n E) in *. set (N := norm_1 n n E) in *.
  pose proof (norm_1_nonneg n n E : 0 <= N) as N_nonneg.
  assert (gN : 0 <= gamma * N) by now apply Rmult_le_pos.
  assert (rho_nonneg : forall i, (i < n)%nat -> 0 <= rho i) by (intros; apply oscillation_nonneg).
  assert (sum_nonneg : 0 <= Sum n rho) by now apply Sum_nonneg.
  assert (top : largest n rho <= Sum n rho) by (apply largest_le; [assumption|]; intros; now apply term_le_Sum).
  assert (spread : sqrt (Sum n rho * largest n rho) <= 2 * (gamma * N)).
  { rewrite <- (sqrt_square (2 * (gamma * N))) by lra. apply sqrt_le_1_alt.
    apply Rmult_le_compat; [assumption|apply largest_nonneg|assumption|lra]. }
  set (c := composite n d R). pose proof (composite_nonneg n d R : 0 <= c) as c_nonneg.
  pose proof (composite_square n d R : c * c = _) as c_square.
  pose proof (residual_scores_norm n d h R width) as N_small. rewrite <- c_square in N_small. fold E N in N_small.
  pose proof (score_weight_nonneg d h width) as a_nonneg. set (a := score_weight d h) in *.
  pose proof (composite_nonneg d d' (W h)) as w_nonneg. set (w := composite d d' (W h)) in *.
  assert (values : composite n d' (product d R (W h)) <= c * w).
  { unfold c, w, composite. rewrite <- sqrt_mult.
    - apply sqrt_le_1_alt. destruct (product_norms n d d' R (W h)) as [columns rows].
      replace (norm_1 n d R * norm_inf n d R * (norm_1 d d' (W h) * norm_inf d d' (W h)))
        with (norm_1 n d R * norm_1 d d' (W h) * (norm_inf n d R * norm_inf d d' (W h))) by ring.
      apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg.
    - apply Rmult_le_pos; auto using norm_1_nonneg, norm_inf_nonneg.
    - apply Rmult_le_pos; auto using norm_1_nonneg, norm_inf_nonneg. }
  eapply Rle_trans; [now apply layer_sharp|]. fold R E rho.
  apply Rle_trans with (gamma * (a * (c * c)) * / sqrt 2 * (c * w)); [|right; field; lra].
  apply Rmult_le_compat; [| apply composite_nonneg | | assumption].
  - apply Rmult_le_pos; [apply sqrt_pos|]. apply Rlt_le, Rinv_0_lt_compat. lra.
  - unfold Rdiv. rewrite Rinv_mult. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [lra|].
    apply Rle_trans with (gamma * N); [lra|]. now apply Rmult_le_compat_l.
Qed.

(** [dong.md#dong-2.2] One head, admissible gammas at propagated references, any factor from 1/sqrt 2 on in place of 4:
    with C_l = 4 gamma_l a_l |W_l|_{1,inf}, res(X^L) <= |R_L| <= prod_l C_l^(3^(L-1-l)) |R_0|^(3^L) in the composite. *)
Theorem dong_2_2 n L width layers X y (gamma : nat -> R) factor : (0 < n)%nat -> / sqrt 2 <= factor ->
  let R := fun l => about (state n width layers X l) (reference n width layers X y l) in
  let h := fun l => heads (layers l) 0 in
  (forall l, (l < L)%nat -> head_count (layers l) = 1%nat /\ (0 < d_qk (h l))%nat /\
    admissible_gamma n (residual_scores (width l) (h l) (R l)) (gamma l)) ->
  let C := fun l => factor * gamma l * (score_weight (width l) (h l) * composite (width l) (width (S l)) (W (h l))) in
  res n (width L) (state n width layers X L) <= composite n (width L) (R L) /\
  composite n (width L) (R L) <=
    Prod L (fun l => C l ^ (3 ^ (L - 1 - l))) * composite n (width 0%nat) (about X y) ^ (3 ^ L).
Proof.
  intros n_pos factor_large R h heads_ok C. split; [apply res_is_infimum|].
  assert (inverse : 0 < / sqrt 2) by (apply Rinv_0_lt_compat, sqrt_lt_R0; lra).
  assert (weights : forall l, (l < L)%nat ->
    0 <= score_weight (width l) (h l) * composite (width l) (width (S l)) (W (h l))).
  { intros l inside. destruct (heads_ok l inside) as [_ [query _]].
    apply Rmult_le_pos; [now apply score_weight_nonneg|apply composite_nonneg]. }
  apply (chaining (fun l => composite n (width l) (R l)) C).
  - intros. apply composite_nonneg.
  - intros l inside. destruct (heads_ok l inside) as [_ [_ [gamma_nonneg _]]].
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|now apply weights].
  - intros l inside. destruct (heads_ok l inside) as [one [query admissible]].
    replace (R (S l)) with
      (head_residual n (width l) (h l) (reference n width layers X y l) (state n width layers X l)).
    + eapply Rle_trans; [now apply layer_gamma with (gamma := gamma l)|]. fold (R l).
      apply Rmult_le_compat_r; [apply pow_le, composite_nonneg|]. unfold C.
      apply Rmult_le_compat_r; [now apply weights|]. destruct admissible as [gamma_nonneg _].
      unfold Rdiv. rewrite Rmult_comm. now apply Rmult_le_compat_r.
    + apply functional_extensionality. intros i. apply functional_extensionality. intros k.
      unfold R. cbn [state reference]. rewrite layer_reduced by assumption.
      unfold next_residual. rewrite one. cbn [Sum]. unfold h. ring.
Qed.
