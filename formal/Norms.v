(** Norms of vectors and matrices, given by their entries; dimensions are arguments. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums.
Open Scope R_scope.

Definition vector := nat -> R.
Definition matrix := nat -> nat -> R.

(** |v|_1, |v|_2, |v|_inf of a vector with d entries. *)
Definition abs_1 (d : nat) (v : vector) : R := Sum d (fun k => Rabs (v k)).
Definition abs_2 (d : nat) (v : vector) : R := sqrt (Sum d (fun k => v k * v k)).
Definition abs_inf (d : nat) (v : vector) : R := largest d (fun k => Rabs (v k)).

(** |A|_1, the largest column sum, |A|_inf, the largest row sum, and the composite |A|_{1,inf} of an n x d matrix. *)
Definition norm_1 (n d : nat) (A : matrix) : R := largest d (fun k => Sum n (fun i => Rabs (A i k))).
Definition norm_inf (n d : nat) (A : matrix) : R := largest n (fun i => abs_1 d (A i)).
Definition composite (n d : nat) (A : matrix) : R := sqrt (norm_1 n d A * norm_inf n d A).

(** The largest entry and the sum of all entries in absolute value. *)
Definition entry_max (n d : nat) (A : matrix) : R := largest n (fun i => abs_inf d (A i)).
Definition entry_sum (n d : nat) (A : matrix) : R := Sum n (fun i => abs_1 d (A i)).

Definition product (m : nat) (A B : matrix) : matrix := fun i k => Sum m (fun j => A i j * B j k).

(** W^T v for W with d rows. *)
Definition value_map (d : nat) (W : matrix) (v : vector) : vector := fun k => Sum d (fun l => v l * W l k).

(** u^T A v for a c x d matrix A. *)
Definition form (c d : nat) (A : matrix) (u v : vector) : R :=
  Sum c (fun a => Sum d (fun b => u a * A a b * v b)).

Record seminorm (N : vector -> R) : Prop := {
  triangle : forall u v, N (fun k => u k + v k) <= N u + N v;
  homogeneous : forall c u, N (fun k => c * u k) = Rabs c * N u
}.

Section Seminorms.
Variable N : vector -> R.
Hypothesis N_seminorm : seminorm N.

Lemma seminorm_zero : N (fun _ => 0) = 0.
Proof.
  replace (fun _ : nat => 0) with (fun k : nat => 0 * (fun _ : nat => 0) k)
    by (apply functional_extensionality; intros; lra).
  rewrite (homogeneous _ N_seminorm), Rabs_R0. lra.
Qed.

Lemma seminorm_opposite u : N (fun k => - u k) = N u.
Proof.
  replace (fun k => - u k) with (fun k => (-1) * u k)
    by (apply functional_extensionality; intros; lra).
  rewrite (homogeneous _ N_seminorm), Rabs_left; lra.
Qed.

Lemma seminorm_nonneg u : 0 <= N u.
Proof.
  enough (0 <= N u + N u) by lra.
  rewrite <- (seminorm_opposite u) at 2. rewrite <- seminorm_zero.
  eapply Rle_trans; [|apply (triangle _ N_seminorm)].
  apply Req_le. f_equal. apply functional_extensionality. intros. lra.
Qed.

Lemma seminorm_Sum n (f : nat -> vector) : N (fun k => Sum n (fun j => f j k)) <= Sum n (fun j => N (f j)).
Proof.
  induction n as [|n IH]; cbn.
  - right. apply seminorm_zero.
  - eapply Rle_trans; [apply (triangle _ N_seminorm)|]. lra.
Qed.
End Seminorms.

Lemma abs_1_seminorm d : seminorm (abs_1 d).
Proof.
  split; intros; unfold abs_1.
  - rewrite <- Sum_plus. apply Sum_le. intros. apply Rabs_triang.
  - rewrite <- Sum_scale. apply Sum_ext. intros. apply Rabs_mult.
Qed.

Lemma abs_inf_seminorm d : seminorm (abs_inf d).
Proof.
  split; intros; unfold abs_inf.
  - apply largest_le.
    + apply Rplus_le_le_0_compat; apply largest_nonneg.
    + intros. eapply Rle_trans; [apply Rabs_triang|].
      apply Rplus_le_compat; apply (le_largest d (fun k => Rabs (_ k))); assumption.
  - rewrite <- largest_scale by apply Rabs_pos. f_equal. apply functional_extensionality. intros. apply Rabs_mult.
Qed.

Lemma abs_1_nonneg d v : 0 <= abs_1 d v.
Proof. apply Sum_nonneg. intros. apply Rabs_pos. Qed.

Lemma abs_1_entry d v k : (k < d)%nat -> Rabs (v k) <= abs_1 d v.
Proof. intros. apply (term_le_Sum d (fun k => Rabs (v k))); [intros; apply Rabs_pos|assumption]. Qed.

Lemma abs_inf_nonneg d v : 0 <= abs_inf d v.
Proof. apply largest_nonneg. Qed.

Lemma abs_inf_entry d v k : (k < d)%nat -> Rabs (v k) <= abs_inf d v.
Proof. apply (le_largest d (fun k => Rabs (v k))). Qed.

Lemma abs_2_nonneg d v : 0 <= abs_2 d v.
Proof. apply sqrt_pos. Qed.

Lemma abs_2_square d v : abs_2 d v * abs_2 d v = Sum d (fun k => v k * v k).
Proof. apply sqrt_sqrt, Sum_nonneg. intros. apply Rle_0_sqr. Qed.

(** Cauchy-Schwarz. *)
Lemma dot_le_abs_2 d u v : Sum d (fun k => u k * v k) <= abs_2 d u * abs_2 d v.
Proof.
  pose proof (abs_2_square d u) as uu. pose proof (abs_2_square d v) as vv.
  pose proof (abs_2_nonneg d u). pose proof (abs_2_nonneg d v).
  set (x := abs_2 d u) in *. set (y := abs_2 d v) in *. set (p := Sum d (fun k => u k * v k)).
  assert (quadratic : 0 <= y * y * (x * x) - 2 * (x * y) * p + x * x * (y * y)).
  { replace (y * y * (x * x) - 2 * (x * y) * p + x * x * (y * y))
      with (Sum d (fun k => (y * u k - x * v k) * (y * u k - x * v k))).
    - apply Sum_nonneg. intros. apply Rle_0_sqr.
    - rewrite uu at 1. rewrite vv at 2. unfold p. rewrite <- !Sum_scale, <- Sum_minus, <- Sum_plus.
      apply Sum_ext. intros. ring. }
  destruct (Rle_lt_dec (x * y) 0) as [zero|pos]; [|nra].
  assert (xy : x * y = 0) by nra. rewrite xy.
  assert (x = 0 \/ y = 0) as [none|none] by (now apply Rmult_integral); rewrite none, Rmult_0_l in *.
  - right. unfold p. apply Sum_zero. intros k ?.
    assert (u k * u k <= 0) by (rewrite uu; apply (term_le_Sum d (fun k => u k * u k)); [intros; apply
      Rle_0_sqr|assumption]).
    assert (u k = 0) as -> by (apply Rsqr_0_uniq; unfold Rsqr; pose proof (Rle_0_sqr (u k)); unfold Rsqr in *; lra).
      ring.
  - right. unfold p. apply Sum_zero. intros k ?.
    assert (v k * v k <= 0) by (rewrite vv; apply (term_le_Sum d (fun k => v k * v k)); [intros; apply
      Rle_0_sqr|assumption]).
    assert (v k = 0) as -> by (apply Rsqr_0_uniq; unfold Rsqr; pose proof (Rle_0_sqr (v k)); unfold Rsqr in *; lra).
      ring.
Qed.

Lemma abs_2_seminorm d : seminorm (abs_2 d).
Proof.
  split; intros.
  - pose proof (abs_2_nonneg d u). pose proof (abs_2_nonneg d v).
    apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite abs_2_square.
    replace (Sum d (fun k => (u k + v k) * (u k + v k)))
      with (Sum d (fun k => u k * u k) + 2 * Sum d (fun k => u k * v k) + Sum d (fun k => v k * v k)).
    + rewrite <- !abs_2_square. pose proof (dot_le_abs_2 d u v). nra.
    + rewrite <- Sum_scale, <- !Sum_plus. apply Sum_ext. intros. ring.
  - unfold abs_2. rewrite (Sum_ext _ _ (fun k => c * c * (u k * u k))) by (intros; ring).
    rewrite Sum_scale, sqrt_mult.
    + f_equal. apply sqrt_Rsqr_abs.
    + apply Rle_0_sqr.
    + apply Sum_nonneg. intros. apply Rle_0_sqr.
Qed.

Lemma norm_1_nonneg n d A : 0 <= norm_1 n d A.
Proof. apply largest_nonneg. Qed.

Lemma norm_inf_nonneg n d A : 0 <= norm_inf n d A.
Proof. apply largest_nonneg. Qed.

Lemma composite_nonneg n d A : 0 <= composite n d A.
Proof. apply sqrt_pos. Qed.

Lemma column_le_norm_1 n d A k : (k < d)%nat -> Sum n (fun i => Rabs (A i k)) <= norm_1 n d A.
Proof. apply (le_largest d (fun k => Sum n (fun i => Rabs (A i k)))). Qed.

Lemma row_le_norm_inf n d A i : (i < n)%nat -> abs_1 d (A i) <= norm_inf n d A.
Proof. apply (le_largest n (fun i => abs_1 d (A i))). Qed.

(** op_1(W) = |W|_inf. *)
Lemma value_map_abs_1 d d' W v : abs_1 d' (value_map d W v) <= norm_inf d d' W * abs_1 d v.
Proof.
  unfold abs_1 at 1. unfold value_map.
  eapply Rle_trans; [apply Sum_le; intros; apply Sum_abs|]. rewrite Sum_swap.
  unfold abs_1. rewrite <- Sum_scale. apply Sum_le. intros l ?.
  rewrite (Sum_ext _ _ (fun k => Rabs (v l) * Rabs (W l k))) by (intros; apply Rabs_mult).
  rewrite Sum_scale, Rmult_comm. apply Rmult_le_compat_r; [apply Rabs_pos|].
  now apply row_le_norm_inf.
Qed.

(** op_inf(W) = |W|_1. *)
Lemma value_map_abs_inf d d' W v : abs_inf d' (value_map d W v) <= norm_1 d d' W * abs_inf d v.
Proof.
  pose proof (norm_1_nonneg d d' W). pose proof (abs_inf_nonneg d v).
  apply largest_le; [now apply Rmult_le_pos|]. intros k ?. unfold value_map.
  eapply Rle_trans; [apply Sum_abs|].
  apply Rle_trans with (Sum d (fun l => abs_inf d v * Rabs (W l k))).
  - apply Sum_le. intros. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
    now apply abs_inf_entry.
  - rewrite Sum_scale, Rmult_comm. apply Rmult_le_compat_r; [assumption|]. now apply column_le_norm_1.
Qed.

Lemma form_abs c d A u v : form c d A u v <= Sum c (fun a => Sum d (fun b => Rabs (u a) * Rabs (A a b) * Rabs (v b))).
Proof.
  apply Sum_le. intros. apply Sum_le. intros. rewrite <- !Rabs_mult. apply Rle_abs.
Qed.

(** u^T A v <= |u|_inf |A|_1 |v|_1. *)
Lemma form_mixed c d A u v : form c d A u v <= norm_1 c d A * (abs_inf c u * abs_1 d v).
Proof.
  eapply Rle_trans; [apply form_abs|]. rewrite Sum_swap. unfold abs_1.
  rewrite <- !Sum_scale. apply Sum_le. intros b ?.
  rewrite Sum_scale_r. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rabs_pos|].
  apply Rle_trans with (Sum c (fun a => abs_inf c u * Rabs (A a b))).
  - apply Sum_le. intros. apply Rmult_le_compat_r; [apply Rabs_pos|]. now apply abs_inf_entry.
  - rewrite Sum_scale, Rmult_comm. apply Rmult_le_compat_r; [apply abs_inf_nonneg|].
    now apply column_le_norm_1.
Qed.

(** bil_1(A): the largest entry. *)
Lemma form_abs_1 c d A u v : form c d A u v <= entry_max c d A * (abs_1 c u * abs_1 d v).
Proof.
  eapply Rle_trans; [apply form_abs|]. unfold abs_1. rewrite Sum_product, <- Sum_scale.
  apply Sum_le. intros a ?. rewrite <- Sum_scale. apply Sum_le. intros b ?.
  assert (Rabs (A a b) <= entry_max c d A).
  { eapply Rle_trans; [|apply (le_largest c (fun i => abs_inf d (A i))); eassumption]. now apply abs_inf_entry. }
  pose proof (Rabs_pos (u a)). pose proof (Rabs_pos (v b)).
  replace (Rabs (u a) * Rabs (A a b) * Rabs (v b)) with (Rabs (A a b) * (Rabs (u a) * Rabs (v b))) by ring.
  apply Rmult_le_compat_r; [now apply Rmult_le_pos|assumption].
Qed.

(** bil_inf(A) is at most the sum of the entries. *)
Lemma form_abs_inf c d A u v : form c d A u v <= entry_sum c d A * (abs_inf c u * abs_inf d v).
Proof.
  eapply Rle_trans; [apply form_abs|]. unfold entry_sum, abs_1. rewrite <- Sum_scale_r.
  apply Sum_le. intros a ?. rewrite <- Sum_scale_r. apply Sum_le. intros b ?.
  replace (Rabs (u a) * Rabs (A a b) * Rabs (v b)) with (Rabs (A a b) * (Rabs (u a) * Rabs (v b))) by ring.
  apply Rmult_le_compat_l; [apply Rabs_pos|].
  apply Rmult_le_compat; auto using Rabs_pos, abs_inf_entry.
Qed.
