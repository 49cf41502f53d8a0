(** A skip connection keeps the diameter between two bounds. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums Tanh Norms Diameters Attention Diameter.
Open Scope R_scope.

(** X' = alpha X + SA(X). *)
Definition skip_layer (n d : nat) (alpha : R) (l : layer) (X : matrix) : matrix := fun i k =>
  alpha * X i k + SA n d l X i k.

Lemma diameter_scale N n alpha X : seminorm N ->
  diameter_in N n (fun i k => alpha * X i k) = Rabs alpha * diameter_in N n X.
Proof.
  intros N_seminorm. unfold diameter_in. rewrite <- largest_scale by apply Rabs_pos.
  f_equal. apply functional_extensionality. intros i. rewrite <- largest_scale by apply Rabs_pos.
  f_equal. apply functional_extensionality. intros i'. rewrite <- (homogeneous _ N_seminorm). f_equal.
  apply functional_extensionality. intros k. unfold row_difference. ring.
Qed.

Lemma diameter_triangle N n X Y : seminorm N ->
  diameter_in N n (fun i k => X i k + Y i k) <= diameter_in N n X + diameter_in N n Y.
Proof.
  intros N_seminorm. apply diameter_le; [apply Rplus_le_le_0_compat; apply diameter_nonneg|]. intros i i' ? ?.
  replace (row_difference (fun i k => X i k + Y i k) i i')
    with (fun k => row_difference X i i' k + row_difference Y i i' k)
    by (apply functional_extensionality; intros; unfold row_difference; ring).
  eapply Rle_trans; [apply (triangle _ N_seminorm)|].
  apply Rplus_le_compat; now apply distance_le_diameter.
Qed.

Lemma skip_diameter N n d alpha l X : seminorm N ->
  Rabs (diameter_in N n (skip_layer n d alpha l X) - Rabs alpha * diameter_in N n X) <= diameter_in N n (SA n d l X).
Proof.
  intros N_seminorm. rewrite <- diameter_scale by assumption.
  assert (above := diameter_triangle N n (fun i k => alpha * X i k) (SA n d l X) N_seminorm).
  assert (below := diameter_triangle N n (skip_layer n d alpha l X) (fun i k => -1 * SA n d l X i k) N_seminorm).
  rewrite (diameter_scale N n (-1)) in below by assumption.
  replace (Rabs (-1)) with 1 in below by (rewrite Rabs_left; lra).
  replace (fun i k => skip_layer n d alpha l X i k + -1 * SA n d l X i k) with (fun i k => alpha * X i k) in below
    by (do 2 (apply functional_extensionality; intros); unfold skip_layer; ring).
  unfold skip_layer in *. apply Rabs_le. lra.
Qed.

(** [skip.md#diameter-skip] |diam(X') - |alpha| diam(X)| is at most the right side of the diameter theorem, in any norm,
    hence for p in {1, 2, inf}. *)
Theorem diameter_skip (N : vector -> R) n d alpha (l : layer) (X : matrix) (op bil : nat -> R) :
  (0 < n)%nat -> queries_nonempty l -> seminorm N ->
  (forall h v, (h < head_count l)%nat -> N (value_map d (W (heads l h)) v) <= op h * N v) ->
  (forall h, (h < head_count l)%nat -> 0 <= bil h) ->
  (forall h u v, (h < head_count l)%nat -> form d d (W_QK (heads l h)) u v <= bil h * (N u * N v)) ->
  Rabs (diameter_in N n (skip_layer n d alpha l X) - Rabs alpha * diameter_in N n X) <=
    Sum (head_count l) (fun h => op h * tanh (bil h * diameter_in N n X ^ 2 / (4 * sqrt (INR (d_qk (heads l h))))))
    * diameter_in N n X.
Proof.
  intros. eapply Rle_trans; [now apply skip_diameter|]. now apply diameter_of_norms.
Qed.
