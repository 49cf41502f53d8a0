(** From one layer to a network of L layers. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Sums Chaining Tanh Norms Diameters Attention Diameter CompositeDiameter Residual.
Open Scope R_scope.

(** X^l for tokens X and layers 0, 1, ...; layer l takes n x (width l) to n x (width (l + 1)). *)
Fixpoint state (n : nat) (width : nat -> nat) (layers : nat -> layer) (X : matrix) (l : nat) : matrix :=
  match l with
  | O => X
  | S m => SA n (width m) (layers m) (state n width layers X m)
  end.

Section Depth.
Variables (n L : nat) (width : nat -> nat) (layers : nat -> layer) (X : matrix).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis queries : forall l, (l < L)%nat -> queries_nonempty (layers l).

Let X_at := state n width layers X.
Let weight l := layer_weight (width l) (width (S l)) (layers l).

(** [diameter.md#composite-diameter] L layers of H heads: with c_l = sqrt(sum_h a_h |W_h|_1 * sum_h a_h |W_h|_inf)/2,
    res(X^L) <= sqrt(n-1) prod_l c_l^(3^(L-1-l)) res(X^0)^(3^L). *)
Theorem composite_diameter_depth :
  res n (width L) (X_at L) <=
    sqrt (INR n - 1) * (Prod L (fun l => (weight l / 2) ^ (3 ^ (L - 1 - l))) * res n (width 0) X ^ (3 ^ L)).
Proof.
  assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (root_square : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  set (u := fun l => delta n (width l) (X_at l) / sqrt 2).
  assert (u_nonneg : forall l, 0 <= u l).
  { intros. apply Rdiv_le_0_compat; [apply delta_nonneg|assumption]. }
  assert (weight_nonneg : forall l, 0 <= weight l / 2).
  { intros. pose proof (layer_weight_nonneg (width l) (width (S l)) (layers l) : 0 <= weight l). lra. }
  assert (chained : u L <= Prod L (fun l => (weight l / 2) ^ (3 ^ (L - 1 - l))) * u 0%nat ^ (3 ^ L)).
  { apply (chaining u (fun l => weight l / 2)); auto. intros l ?. unfold u. apply Rle_div_l; [assumption|].
    eapply Rle_trans; [apply composite_diameter_cubic with (d := width l); auto|].
    right. set (D := delta n (width l) (X_at l)).
    change (weight l / 4 * D ^ 3 = weight l / 2 * (D / sqrt 2) ^ 3 * sqrt 2).
    replace (weight l / 2 * (D / sqrt 2) ^ 3 * sqrt 2) with (weight l / 2 * D ^ 3 / (sqrt 2 * sqrt 2)) by (field; lra).
    rewrite root_square. field. }
  assert (start : u 0%nat <= res n (width 0) X) by apply diameter_le_residual.
  assert (end_ : res n (width L) (X_at L) <= sqrt (INR n - 1) * u L).
  { destruct (residual_le_diameter n (width L) (X_at L) n_pos) as [least bound].
    eapply Rle_trans; [exact least|]. eapply Rle_trans; [exact bound|]. right. unfold u.
    assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    rewrite sqrt_div by lra. field. lra. }
  eapply Rle_trans; [exact end_|]. apply Rmult_le_compat_l; [apply sqrt_pos|].
  eapply Rle_trans; [exact chained|]. apply Rmult_le_compat_l.
  - apply Prod_nonneg. intros. now apply pow_le.
  - now apply pow_incr.
Qed.

(** [diameter.md#composite-diameter] One head and one d_qk in every layer, beta at least |W_QK|_1 |W|_{1,inf} of each:
    res(X^L) <= sqrt(n-1) (beta/(2 sqrt d_qk))^((3^L-1)/2) res(X^0)^(3^L). *)
Theorem composite_diameter_beta (beta : R) (d_qk_of_all : nat) :
  (0 < d_qk_of_all)%nat ->
  (forall l, (l < L)%nat -> head_count (layers l) = 1%nat /\ d_qk (heads (layers l) 0) = d_qk_of_all /\
    norm_1 (width l) (width l) (W_QK (heads (layers l) 0))
      * composite (width l) (width (S l)) (W (heads (layers l) 0)) <= beta) ->
  0 <= beta ->
  res n (width L) (X_at L) <=
    sqrt (INR n - 1) * ((beta / (2 * sqrt (INR d_qk_of_all))) ^ ((3 ^ L - 1) / 2) * res n (width 0) X ^ (3 ^ L)).
Proof.
  intros some one_head beta_nonneg.
  assert (root : 0 < sqrt (INR d_qk_of_all)) by (apply sqrt_lt_R0; now apply lt_0_INR).
  eapply Rle_trans; [apply composite_diameter_depth|].
  apply Rmult_le_compat_l; [apply sqrt_pos|].
  apply Rmult_le_compat_r; [apply pow_le, res_nonneg|].
  fold (layers_exponent L). rewrite <- Prod_equal.
  apply Prod_le. intros l inside. destruct (one_head l inside) as [one [same bound]].
  pose proof (layer_weight_nonneg (width l) (width (S l)) (layers l) : 0 <= weight l).
  split; [apply pow_le; lra|]. apply pow_incr. split; [lra|].
  enough (weight l <= beta / sqrt (INR d_qk_of_all)).
  { replace (beta / (2 * sqrt (INR d_qk_of_all))) with (beta / sqrt (INR d_qk_of_all) / 2) by (field; lra). lra. }
  rewrite <- same. apply layer_weight_le_beta; [assumption|now rewrite same|assumption].
Qed.

End Depth.

(** [diameter.md#global-collapse] If the heads of every layer contract at the first diameter D_0, sum_h op_h tanh(k_h
    D_0^2) <= c < 1, then D_l <= c^l D_0; N l is the norm of the rows of X^l, k_h = bil_h / (4 sqrt d_qk). *)
Theorem global_collapse n width layers X (N : nat -> vector -> R) (op bil : nat -> nat -> R) c :
  (0 < n)%nat -> (forall l, seminorm (N l)) -> (forall l, queries_nonempty (layers l)) ->
  (forall l h, 0 <= op l h) -> (forall l h, 0 <= bil l h) ->
  (forall l h v, (h < head_count (layers l))%nat ->
    N (S l) (value_map (width l) (W (heads (layers l) h)) v) <= op l h * N l v) ->
  (forall l h u v, (h < head_count (layers l))%nat ->
    form (width l) (width l) (W_QK (heads (layers l) h)) u v <= bil l h * (N l u * N l v)) ->
  let D := fun l => diameter_in (N l) n (state n width layers X l) in
  0 <= c < 1 ->
  (forall l, Sum (head_count (layers l)) (fun h =>
    op l h * tanh (bil l h * D 0%nat ^ 2 / (4 * sqrt (INR (d_qk (heads (layers l) h)))))) <= c) ->
  (forall l, D l <= c ^ l * D 0%nat) /\ is_lim_seq D 0.
Proof.
  intros n_pos norms queries op_nonneg bil_nonneg contract bilinear D c_range small.
  assert (D_nonneg : forall l, 0 <= D l) by (intros; apply diameter_nonneg).
  assert (decay : forall l, D l <= c ^ l * D 0%nat).
  { induction l as [|l IH]; [cbn; lra|].
    assert (power : 0 <= c ^ l <= 1) by (split; [apply pow_le; lra|rewrite <- (pow1 l); apply pow_incr; lra]).
    assert (D l <= D 0%nat) by (specialize (D_nonneg 0%nat); nra).
    apply Rle_trans with (c * D l); [|cbn [pow]; nra].
    unfold D at 1. cbn [state].
    eapply Rle_trans; [apply diameter_of_norms with (N := N l) (op := op l) (bil := bil l); auto|].
    fold (D l). apply Rmult_le_compat_r; [apply D_nonneg|]. eapply Rle_trans; [|apply (small l)].
    apply Sum_le. intros h ?. apply Rmult_le_compat_l; [apply op_nonneg|]. apply tanh_le.
    pose proof (sqrt_width_pos _ (queries l h ltac:(assumption))).
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_l; [apply bil_nonneg|]. apply pow_incr. auto. }
  split; [exact decay|].
  apply is_lim_seq_le_le with (u := fun _ => 0) (w := fun l => c ^ l * D 0%nat); [auto|apply is_lim_seq_const|].
  replace (Finite 0) with (Rbar_mult 0 (D 0%nat)) by (cbn; f_equal; ring).
  apply is_lim_seq_scal_r, is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.
