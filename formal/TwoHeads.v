(** Theorem 2.3 of the paper fails for two heads: composites do not add. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Exponential Tanh Norms Diameters Attention CompositeDiameter Residual
  ScalarThreshold ScalarModel.
Open Scope R_scope.

(** Both heads attend alike; head 0 writes column m, head 1 writes 1/sqrt m into each of the columns 0, ..., m - 1. *)
Definition written (m h k : nat) : R :=
  match h with
  | O => if Nat.eq_dec k m then 1 else 0
  | _ => if Nat.eq_dec k m then 0 else / sqrt (INR m)
  end.

Definition writing_head (w : R) (m h : nat) : head := {|
  d_qk := 1; d_v := 1;
  W_Q := constant w; W_K := constant 1; W_V := constant 1; W_O := fun _ => written m h;
  b_Q := no_bias; b_K := no_bias; b_V := no_bias
|}.

Definition two_heads (w : R) (m : nat) : layer := {|
  head_count := 2; heads := writing_head w m; b_O := no_bias
|}.

Section TwoHeads.
Variables (w a : R) (m : nat).
Hypothesis w_pos : 0 < w.
Hypothesis a_pos : 0 < a.
Hypothesis m_pos : (0 < m)%nat.

Let s := scalar_step 1 w a.

Lemma root_m_pos : 0 < sqrt (INR m).
Proof. apply sqrt_lt_R0. now apply lt_0_INR. Qed.

Lemma two_heads_output i k : SA 2 1 (two_heads w m) (tokens a) i k = tokens s i 0%nat * (written m 0 k + written m 1 k).
Proof.
  pose proof (f_equal (fun M : matrix => M i 0%nat) (scalar_layer_step 1 w a)) as step. cbv beta in step. fold s in
    step.
  set (Z := Sum 2 (fun j => attention 2 1 (scalar_head 1 w) (tokens a) i j * affine 1 (tokens a) (constant 1) no_bias
    j 0%nat)).
  change (0 + (0 + Z * 1) + 0 = tokens s i 0%nat) in step.
  change (0 + (0 + Z * written m 0 k) + (0 + Z * written m 1 k) + 0
    = tokens s i 0%nat * (written m 0 k + written m 1 k)).
  rewrite <- step. ring.
Qed.

Lemma step_pos : 0 < s.
Proof.
  unfold s, scalar_step. apply Rmult_lt_0_compat; [lra|]. apply tanh_pos, Rmult_lt_0_compat; [assumption|].
  now apply pow_lt.
Qed.

Lemma output_distance k : row_difference (SA 2 1 (two_heads w m) (tokens a)) 0 1 k
  = 2 * s * (written m 0 k + written m 1 k).
Proof. unfold row_difference. rewrite !two_heads_output. cbn [tokens]. ring. Qed.

(** sqrt 2 s sqrt(1 + sqrt m) <= res(X'). *)
Lemma two_heads_residual : sqrt 2 * s * sqrt (1 + sqrt (INR m)) <= res 2 (S m) (SA 2 1 (two_heads w m) (tokens a)).
Proof.
  pose proof step_pos. pose proof root_m_pos.
  assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (root_square : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  set (X' := SA 2 1 (two_heads w m) (tokens a)).
  eapply Rle_trans; [|apply diameter_le_residual].
  assert (rows : 2 * s * (1 + sqrt (INR m)) <= diam_1 2 (S m) X').
  { eapply Rle_trans; [|apply (distance_le_diameter (abs_1 (S m)) 2 X' 0 1); lia].
    unfold abs_1. cbn [Sum]. unfold X'. rewrite output_distance. unfold written at 1 2.
    destruct (Nat.eq_dec m m) as [_|]; [|lia].
    rewrite (Sum_ext m _ (fun _ => 2 * s * / sqrt (INR m))).
    - rewrite Sum_const, Rabs_pos_eq by lra.
      replace (INR m * (2 * s * / sqrt (INR m))) with (2 * s * sqrt (INR m)); [lra|].
      rewrite <- (sqrt_sqrt (INR m)) at 2 by apply pos_INR. field. lra.
    - intros k inside. rewrite output_distance. unfold written. destruct (Nat.eq_dec k m); [lia|].
      rewrite Rplus_0_l. apply Rabs_pos_eq. apply Rmult_le_pos; [lra|]. now apply Rlt_le, Rinv_0_lt_compat. }
  assert (columns : 2 * s <= diam_inf 2 (S m) X').
  { eapply Rle_trans; [|apply (distance_le_diameter (abs_inf (S m)) 2 X' 0 1); lia].
    eapply Rle_trans; [|apply (abs_inf_entry (S m) (row_difference X' 0 1) m); lia].
    unfold X'. rewrite output_distance. unfold written. destruct (Nat.eq_dec m m) as [_|]; [|lia].
    rewrite Rabs_pos_eq; lra. }
  apply Rmult_le_reg_r with (sqrt 2); [assumption|].
  replace (delta 2 (S m) X' / sqrt 2 * sqrt 2) with (delta 2 (S m) X') by (field; lra).
  replace (sqrt 2 * s * sqrt (1 + sqrt (INR m)) * sqrt 2) with (2 * s * sqrt (1 + sqrt (INR m)))
    by (rewrite <- root_square at 1; ring).
  rewrite <- (sqrt_square (2 * s)) by lra. rewrite <- sqrt_mult; [|apply Rmult_le_pos; lra|lra].
  apply sqrt_le_1_alt.
  replace (2 * s * (2 * s) * (1 + sqrt (INR m))) with (2 * s * (1 + sqrt (INR m)) * (2 * s)) by ring.
  apply Rmult_le_compat; auto; [apply Rmult_le_pos|]; lra.
Qed.

Lemma value_weight h l k : W (writing_head w m h) l k = written m h k.
Proof. change (0 + 1 * written m h k = written m h k). ring. Qed.

(** Both composites are at most 1. *)
Lemma head_composite h : composite 1 (S m) (W (writing_head w m h)) <= 1.
Proof.
  pose proof root_m_pos. assert (0 < / sqrt (INR m)) by now apply Rinv_0_lt_compat.
  rewrite <- sqrt_1. unfold composite. apply sqrt_le_1_alt.
  assert (entries : forall k, 0 <= written m h k).
  { intros k. unfold written. destruct h, (Nat.eq_dec k m); lra. }
  set (top := match h with O => 1 | _ => / sqrt (INR m) end).
  assert (top_pos : 0 < top) by (unfold top; destruct h; lra).
  assert (columns : norm_1 1 (S m) (W (writing_head w m h)) <= top).
  { apply largest_le; [lra|]. intros k ?. cbn [Sum]. rewrite value_weight, Rabs_pos_eq, Rplus_0_l by auto.
    unfold written, top. destruct h, (Nat.eq_dec k m); lra. }
  assert (rows : norm_inf 1 (S m) (W (writing_head w m h)) <= / top).
  { apply largest_le; [now apply Rlt_le, Rinv_0_lt_compat|]. intros i ?. unfold abs_1.
    rewrite (Sum_ext _ _ (written m h)) by (intros; rewrite value_weight; now apply Rabs_pos_eq).
    cbn [Sum]. unfold written at 2. destruct h as [|h]; unfold top.
    - destruct (Nat.eq_dec m m) as [_|]; [|lia]. rewrite Sum_zero; [lra|].
      intros k ?. unfold written. destruct (Nat.eq_dec k m); [lia|reflexivity].
    - destruct (Nat.eq_dec m m) as [_|]; [|lia].
      rewrite (Sum_ext _ _ (fun _ => / sqrt (INR m)))
        by (intros k ?; unfold written; destruct (Nat.eq_dec k m); [lia|reflexivity]).
      rewrite Sum_const, Rinv_inv. right.
      rewrite <- (sqrt_sqrt (INR m)) at 1 by apply pos_INR. field. lra. }
  apply Rle_trans with (top * / top).
  - apply Rmult_le_compat; auto using norm_1_nonneg, norm_inf_nonneg.
  - right. field. lra.
Qed.

Lemma query_key_weight h : norm_1 1 1 (W_QK (writing_head w m h)) = w.
Proof.
  change (W_QK (writing_head w m h)) with (W_QK (scalar_head 1 w)).
  destruct (scalar_weights 1 w) as [-> _]. apply scalar_norms. lra.
Qed.

End TwoHeads.

(** [dong.md#dong-2.3-v1] Two tokens, two heads, beta <= 0.01 and small logits, yet res(X') exceeds
    (4 beta H / sqrt d_qk) res(X)^3 for H = 2, d_qk = 1. *)
Theorem dong_2_3_v1_refuted : exists (l : layer) (d' : nat) (X : matrix) (beta : R),
  head_count l = 2%nat /\
  (forall h, (h < 2)%nat -> d_qk (heads l h) = 1%nat /\
    norm_1 1 1 (W_QK (heads l h)) * composite 1 d' (W (heads l h)) <= beta /\
    score_weight 1 (heads l h) * res 2 1 X ^ 2 <= 0.628) /\
  4 * beta * 2 / sqrt (INR 1) * res 2 1 X ^ 3 < res 2 d' (SA 2 1 l X).
Proof.
  assert (million : exists m, (0 < m)%nat /\ INR m = 1000000).
  { exists (Z.to_nat 1000000). rewrite INR_IZR_INZ, Z2Nat.id by lia. split; [lia|reflexivity]. }
  destruct million as [m [m_pos m_is]].
  assert (root_m : sqrt (INR m) = 1000).
  { rewrite m_is. replace 1000000 with (1000 * 1000) by ring. apply sqrt_square. lra. }
  assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (root_square : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (start : res 2 1 (tokens 1) = sqrt 2 * 1) by (apply scalar_residual; lra).
  exists (two_heads 0.01 m), (S m), (tokens 1), 0.01. rewrite start, Rmult_1_r.
  split; [reflexivity|]. split.
  - intros h ?. cbn [heads two_heads]. split; [reflexivity|]. split.
    + rewrite query_key_weight by lra. pose proof (head_composite 0.01 m m_pos h). lra.
    + unfold score_weight. rewrite query_key_weight by lra. cbn [d_qk writing_head INR]. rewrite sqrt_1.
      replace (sqrt 2 ^ 2) with (sqrt 2 * sqrt 2) by ring. rewrite root_square. lra.
  - eapply Rlt_le_trans; [|apply (two_heads_residual 0.01 1 m); try lra; assumption].
    cbn [INR]. rewrite sqrt_1, root_m. replace (sqrt 2 ^ 3) with (sqrt 2 * (sqrt 2 * sqrt 2)) by ring.
    rewrite root_square.
    assert (slope : 0.0099 <= scalar_step 1 0.01 1).
    { unfold scalar_step. rewrite pow1, !Rmult_1_r, Rmult_1_l, tanh_exp.
      pose proof (exp_ineq1_le (2 * 0.01)). pose proof (exp_plus_one_pos (2 * 0.01)).
      apply Rmult_le_reg_r with (exp (2 * 0.01) + 1); [assumption|].
      replace ((exp (2 * 0.01) - 1) / (exp (2 * 0.01) + 1) * (exp (2 * 0.01) + 1))
        with (exp (2 * 0.01) - 1) by (field; lra). lra. }
    assert (wide : 31 <= sqrt (1 + 1000)).
    { rewrite <- (sqrt_square 31) by lra. apply sqrt_le_1_alt. lra. }
    assert (0.0099 * 31 <= scalar_step 1 0.01 1 * sqrt (1 + 1000)) by (apply Rmult_le_compat; lra).
    replace (4 * 0.01 * 2 / 1 * (sqrt 2 * 2)) with (sqrt 2 * 0.16) by lra.
    rewrite Rmult_assoc. apply Rmult_lt_compat_l; lra.
Qed.
