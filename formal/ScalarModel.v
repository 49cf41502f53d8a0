(** Two tokens a and -a in one dimension, score weight w, value weight v: attention is the scalar recursion. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Tanh Softmax Norms Diameters Attention Diameter CompositeDiameter Residual Depth
  ScalarThreshold.
Open Scope R_scope.

Definition constant (c : R) : matrix := fun _ _ => c.
Definition no_bias : vector := fun _ => 0.

Definition scalar_head (v w : R) : head := {|
  d_qk := 1; d_v := 1;
  W_Q := constant w; W_K := constant 1; W_V := constant v; W_O := constant 1;
  b_Q := no_bias; b_K := no_bias; b_V := no_bias
|}.

Definition scalar_layer (v w : R) : layer := {|
  head_count := 1; heads := fun _ => scalar_head v w; b_O := no_bias
|}.

Definition tokens (a : R) : matrix := fun i _ => match i with O => a | _ => - a end.

Lemma scalar_scores v w a i j : scores 1 (scalar_head v w) (tokens a) i j = w * tokens a i 0%nat * tokens a j 0%nat.
Proof.
  unfold scores, affine, product. cbn -[tokens sqrt]. unfold constant, no_bias. rewrite sqrt_1. field.
Qed.

(** [refutations.md#scalar-model] a' = v a tanh(w a^2). *)
Theorem scalar_layer_step v w a : SA 2 1 (scalar_layer v w) (tokens a) = tokens (scalar_step v w a).
Proof.
  assert (attended : forall x,
    exp (w * x * a) / (exp (w * x * a) + exp (w * x * - a)) * a
    + exp (w * x * - a) / (exp (w * x * a) + exp (w * x * - a)) * - a = a * tanh (w * x * a)).
  { intros x. replace (w * x * - a) with (- (w * x * a)) by ring. unfold tanh, sinh, cosh.
    pose proof (exp_pos (w * x * a)). pose proof (exp_pos (- (w * x * a))). field. lra. }
  assert (row : forall i k, SA 2 1 (scalar_layer v w) (tokens a) i k = v * (a * tanh (w * tokens a i 0%nat * a))).
  { intros i k. unfold SA, head_output, attention, product, affine, softmax.
    cbn -[scores tokens Sum]. unfold constant, no_bias. cbn -[scores tokens].
    rewrite !scalar_scores. cbn [tokens]. rewrite <- attended. unfold product. cbn. ring_simplify. field.
    pose proof (exp_pos (w * tokens a i 0%nat * a)). pose proof (exp_pos (w * tokens a i 0%nat * - a)).
    unfold tokens in *. lra. }
  apply functional_extensionality. intros i. apply functional_extensionality. intros k.
  rewrite row. unfold scalar_step. destruct i as [|i]; cbn [tokens].
  - replace (w * a * a) with (w * a ^ 2) by ring. ring.
  - replace (w * - a * a) with (- (w * a ^ 2)) by ring.
    assert (odd : forall u, tanh (- u) = - tanh u).
    { intros u. unfold tanh, sinh, cosh. rewrite Ropp_involutive.
      pose proof (exp_pos u). pose proof (exp_pos (- u)). field. lra. }
    rewrite odd. ring.
Qed.

Definition scalar_states (v w a : R) (l : nat) : matrix :=
  state 2 (fun _ => 1%nat) (fun _ => scalar_layer v w) (tokens a) l.

Lemma scalar_states_tokens v w a l : scalar_states v w a l = tokens (scalar_state v w a l).
Proof.
  unfold scalar_states. induction l as [|l IH]; [reflexivity|].
  cbn [state scalar_state]. rewrite IH. apply scalar_layer_step.
Qed.

Lemma scalar_norms c : 0 <= c -> norm_1 1 1 (constant c) = c /\ norm_inf 1 1 (constant c) = c.
Proof.
  intros. unfold norm_1, norm_inf, abs_1, constant. cbn. rewrite Rabs_pos_eq, Rplus_0_l, Rmax_right by lra. lra.
Qed.

Lemma scalar_weights v w : W_QK (scalar_head v w) = constant w /\ W (scalar_head v w) = constant v.
Proof.
  split; unfold W_QK, W, product, transposed, constant; cbn; unfold constant;
    do 2 (apply functional_extensionality; intros); ring.
Qed.

Lemma scalar_delta a : 0 <= a -> delta 2 1 (tokens a) = 2 * a.
Proof.
  intros. assert (distance : Rabs (a - - a) = 2 * a) by (rewrite Rabs_pos_eq; lra).
  assert (back : Rabs (- a - a) = 2 * a) by (rewrite Rabs_left1; lra).
  assert (same : Rabs (a - a) = 0) by (rewrite Rminus_eq_0; apply Rabs_R0).
  assert (same' : Rabs (- a - - a) = 0) by (rewrite Rminus_eq_0; apply Rabs_R0).
  unfold delta, diam_1, diam_inf, diameter_in, abs_1, abs_inf, row_difference. cbn.
  rewrite distance, back, same, same', !Rplus_0_l.
  repeat first [rewrite (Rmax_right 0 0) by lra | rewrite (Rmax_right 0 (2 * a)) by lra
    | rewrite (Rmax_left (2 * a) 0) by lra | rewrite (Rmax_left (2 * a) (2 * a)) by lra].
  apply sqrt_square. lra.
Qed.

(** [README.md#residual-and-diameter] Two tokens: res(X) = delta(X)/sqrt 2; here sqrt 2 a. *)
Theorem scalar_residual a : 0 <= a -> res 2 1 (tokens a) = sqrt 2 * a.
Proof.
  intros. assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (root_square : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  destruct (residual_le_diameter 2 1 (tokens a) ltac:(lia)) as [least bound].
  pose proof (diameter_le_residual 2 1 (tokens a)) as low.
  rewrite scalar_delta in * by assumption.
  replace ((INR 2 - 1) / 2) with (1 / 2) in bound by (cbn; lra).
  rewrite sqrt_div, sqrt_1 in bound by lra.
  replace (2 * a) with (sqrt 2 * sqrt 2 * a) in * by (rewrite root_square; ring).
  replace (1 / sqrt 2 * (sqrt 2 * sqrt 2 * a)) with (sqrt 2 * a) in bound by (field; lra).
  replace (sqrt 2 * sqrt 2 * a / sqrt 2) with (sqrt 2 * a) in low by (field; lra).
  lra.
Qed.

(** [diameter.md#composite-diameter] The bound of one layer is attained by the scalar model. *)
Theorem composite_diameter_sharp v w a : 0 <= v -> 0 <= w -> 0 <= a ->
  let l := scalar_layer v w in
  let t := fun h => tanh (score_weight 1 (heads l h) * delta 2 1 (tokens a) ^ 2 / 4) in
  delta 2 1 (SA 2 1 l (tokens a)) = sqrt (heads_norm_1 1 1 l t * heads_norm_inf 1 1 l t) * delta 2 1 (tokens a).
Proof.
  intros v_nonneg w_nonneg a_nonneg l t.
  destruct (scalar_weights v w) as [QK_w W_v].
  assert (t_is : t 0%nat = tanh (w * a ^ 2)).
  { unfold t, l, score_weight. cbn [heads scalar_layer]. rewrite QK_w.
    destruct (scalar_norms w w_nonneg) as [-> _]. rewrite scalar_delta by assumption.
    cbn [d_qk scalar_head INR]. rewrite sqrt_1. f_equal. field. }
  assert (t_nonneg : 0 <= tanh (w * a ^ 2)).
  { apply tanh_nonneg, Rmult_le_pos; [assumption|apply pow2_ge_0]. }
  assert (step_nonneg : 0 <= scalar_step v w a).
  { unfold scalar_step. apply Rmult_le_pos; [now apply Rmult_le_pos|assumption]. }
  unfold l at 1. rewrite scalar_layer_step, !scalar_delta by assumption.
  unfold heads_norm_1, heads_norm_inf. unfold l. cbn [head_count heads scalar_layer Sum].
  rewrite W_v, t_is. destruct (scalar_norms v v_nonneg) as [-> ->].
  rewrite !Rplus_0_l, sqrt_square by now apply Rmult_le_pos. unfold scalar_step. ring.
Qed.

(** [refutations.md#convergence-remark] beta = 0.1 and d_qk = 1, so 4 beta < sqrt d_qk, yet from a = 4 the residual
    tends to infinity; from a = 3 it tends to 0. *)
Theorem convergence_remark_refuted :
  let h := scalar_head 10 0.01 in
  4 * (norm_1 1 1 (W_QK h) * composite 1 1 (W h)) < sqrt (INR (d_qk h)) /\
  is_lim_seq (fun l => res 2 1 (scalar_states 10 0.01 4 l)) p_infty /\
  is_lim_seq (fun l => res 2 1 (scalar_states 10 0.01 3 l)) 0.
Proof.
  intros h. destruct (scalar_weights 10 0.01) as [QK_w W_v].
  assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (ln_11_9 : 2 / 11 <= ln (11 / 9) <= 2 / 9).
  { assert (below : forall x, 0 < x -> ln x <= x - 1).
    { intros x ?. pose proof (exp_ineq1_le (ln x)) as tangent. rewrite exp_ln in tangent by assumption. lra. }
    pose proof (below (11 / 9) ltac:(lra)). pose proof (below (9 / 11) ltac:(lra)) as inverse.
    replace (9 / 11) with (/ (11 / 9)) in inverse at 1 by field. rewrite ln_Rinv in inverse by lra. lra. }
  assert (crossing : 9 < artanh (/ 10) / 0.01 < 16).
  { unfold artanh. replace ((1 + / 10) / (1 - / 10)) with (11 / 9) by field. lra. }
  assert (between : 3 < threshold 10 0.01 < 4).
  { unfold threshold. split.
    - rewrite <- (sqrt_square 3) by lra. apply sqrt_lt_1; lra.
    - rewrite <- (sqrt_square 4) by lra. apply sqrt_lt_1; lra. }
  split; [|split].
  - unfold h. rewrite QK_w, W_v. unfold composite.
    destruct (scalar_norms 0.01 ltac:(lra)) as [-> _]. destruct (scalar_norms 10 ltac:(lra)) as [-> ->].
    rewrite sqrt_square by lra. cbn [d_qk scalar_head INR]. rewrite sqrt_1. lra.
  - destruct (growth_above_threshold 10 0.01 ltac:(lra) ltac:(lra) 4 ltac:(lra)) as [k_large [growth limit]].
    apply is_lim_seq_ext with (fun l => sqrt 2 * scalar_state 10 0.01 4 l).
    + intros l. rewrite scalar_states_tokens, scalar_residual; [reflexivity|].
      eapply Rle_trans; [|apply growth]. apply Rmult_le_pos; [apply pow_le|]; lra.
    + replace p_infty with (Rbar_mult (sqrt 2) p_infty).
      * now apply is_lim_seq_scal_l.
      * cbn. destruct (Rle_dec 0 (sqrt 2)) as [nonneg|]; [|lra].
        destruct (Rle_lt_or_eq_dec 0 (sqrt 2) nonneg); [reflexivity|lra].
  - destruct (collapse_below_threshold 10 0.01 ltac:(lra) ltac:(lra) 3 ltac:(lra)) as [k_small [decay limit]].
    apply is_lim_seq_ext with (fun l => sqrt 2 * scalar_state 10 0.01 3 l).
    + intros l. rewrite scalar_states_tokens, scalar_residual; [reflexivity|apply decay].
    + replace (Finite 0) with (Rbar_mult (sqrt 2) 0) by (cbn; f_equal; ring).
      now apply is_lim_seq_scal_l.
Qed.
