(** Diameters of the rows of a matrix, and how averaging shrinks them. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums TotalVariation Norms.
Open Scope R_scope.

Definition row_difference (X : matrix) (i i' : nat) : vector := fun k => X i k - X i' k.

(** The largest distance of two of the n rows of X in the norm N. *)
Definition diameter_in (N : vector -> R) (n : nat) (X : matrix) : R :=
  largest n (fun i => largest n (fun i' => N (row_difference X i i'))).

Definition diam_1 (n d : nat) : matrix -> R := diameter_in (abs_1 d) n.
Definition diam_2 (n d : nat) : matrix -> R := diameter_in (abs_2 d) n.
Definition diam_inf (n d : nat) : matrix -> R := diameter_in (abs_inf d) n.

(** The composite diameter. *)
Definition delta (n d : nat) (X : matrix) : R := sqrt (diam_1 n d X * diam_inf n d X).

Lemma diameter_nonneg N n X : 0 <= diameter_in N n X.
Proof. apply largest_nonneg. Qed.

Lemma distance_le_diameter N n X i i' : (i < n)%nat -> (i' < n)%nat ->
  N (row_difference X i i') <= diameter_in N n X.
Proof.
  intros. eapply Rle_trans; [now apply (le_largest n (fun i' => N (row_difference X i i')))|].
  now apply (le_largest n (fun i => largest n (fun i' => N (row_difference X i i')))).
Qed.

Lemma diameter_le N n X b : 0 <= b ->
  (forall i i', (i < n)%nat -> (i' < n)%nat -> N (row_difference X i i') <= b) -> diameter_in N n X <= b.
Proof. intros. apply largest_le; [assumption|]. intros. apply largest_le; auto. Qed.

Lemma delta_nonneg n d X : 0 <= delta n d X.
Proof. apply sqrt_pos. Qed.

Lemma delta_square n d X : delta n d X ^ 2 = diam_1 n d X * diam_inf n d X.
Proof. apply pow2_sqrt. apply Rmult_le_pos; apply diameter_nonneg. Qed.

Section Averages.
Variables (N : vector -> R) (n : nat).
Hypothesis N_seminorm : seminorm N.

(** [diameter.md#tv-lemma] Rows of a product: two averages of the rows of Y differ by at most the total variation
    distance of their weights, times the diameter of Y. *)
Theorem rows_of_a_product (p q : nat -> R) (Y : matrix) : distribution n p -> distribution n q ->
  N (fun k => Sum n (fun j => (p j - q j) * Y j k)) <= total_variation n p q * diameter_in N n Y.
Proof.
  intros p_dist q_dist.
  pose proof (total_variation_excess n p q p_dist q_dist) as T_excess.
  destruct p_dist as [p_nonneg p_one], q_dist as [q_nonneg q_one].
  set (T := total_variation n p q) in *.
  set (up := fun j => if Rlt_dec (q j) (p j) then p j - q j else 0).
  set (down := fun j => if Rlt_dec (q j) (p j) then 0 else q j - p j).
  assert (up_T : Sum n up = T).
  { rewrite T_excess. unfold excess_mass, up. rewrite <- Sum_minus. apply Sum_ext.
    intros j ?. destruct (Rlt_dec (q j) (p j)); lra. }
  assert (parts : forall j, p j - q j = up j - down j).
  { intros. unfold up, down. destruct (Rlt_dec (q j) (p j)); lra. }
  assert (down_T : Sum n down = T).
  { enough (Sum n up - Sum n down = 0) by lra. rewrite <- Sum_minus.
    rewrite (Sum_ext _ _ (fun j => p j - q j)) by (intros; now rewrite parts).
    rewrite Sum_minus. lra. }
  assert (up_nonneg : forall j, 0 <= up j).
  { intros. unfold up. destruct (Rlt_dec (q j) (p j)); lra. }
  assert (down_nonneg : forall j, 0 <= down j).
  { intros. unfold down. destruct (Rlt_dec (q j) (p j)); lra. }
  assert (T_nonneg : 0 <= T) by (rewrite <- up_T; now apply Sum_nonneg).
  assert (scaled : T * N (fun k => Sum n (fun j => (p j - q j) * Y j k)) <= T * (T * diameter_in N n Y)).
  { rewrite <- (Rabs_pos_eq T) at 1 by assumption. rewrite <- (homogeneous _ N_seminorm).
    replace (fun k => T * Sum n (fun j => (p j - q j) * Y j k))
      with (fun k => Sum n (fun i => Sum n (fun j => (up i * down j) * row_difference Y i j k))).
    - eapply Rle_trans; [apply (seminorm_Sum N N_seminorm n (fun i k => Sum n (fun j => up i * down j *
      row_difference Y i j k)))|].
      rewrite <- Rmult_assoc. rewrite <- up_T at 1. rewrite <- down_T, Sum_product, <- Sum_scale_r.
      apply Sum_le. intros i ?.
      eapply Rle_trans; [apply (seminorm_Sum N N_seminorm n (fun j k => up i * down j * row_difference Y i j k))|].
      rewrite <- Sum_scale_r. apply Sum_le. intros j ?.
      assert (0 <= up i * down j) by now apply Rmult_le_pos.
      rewrite (homogeneous _ N_seminorm), Rabs_pos_eq by assumption.
      apply Rmult_le_compat_l; [assumption|]. now apply distance_le_diameter.
    - apply functional_extensionality. intros k. unfold row_difference.
      rewrite (Sum_ext _ (fun i => Sum n (fun j => up i * down j * (Y i k - Y j k)))
        (fun i => T * (up i * Y i k) - up i * Sum n (fun j => down j * Y j k))).
      + rewrite Sum_minus, Sum_scale, Sum_scale_r, up_T, <- Rmult_minus_distr_l, <- Sum_minus.
        f_equal. apply Sum_ext. intros. rewrite parts. ring.
      + intros. rewrite (Sum_ext _ _ (fun j => (up i * Y i k) * down j - up i * (down j * Y j k))) by (intros; ring).
        rewrite Sum_minus, !Sum_scale, down_T. ring. }
  destruct T_nonneg as [T_pos|T_zero].
  - apply Rmult_le_reg_l in scaled; assumption.
  - replace (fun k => Sum n (fun j => (p j - q j) * Y j k)) with (fun _ : nat => 0).
    + rewrite seminorm_zero by assumption. rewrite <- T_zero. lra.
    + apply functional_extensionality. intros k. symmetry. apply Sum_zero. intros j ?.
      assert (up j <= T) by (rewrite <- up_T; now apply term_le_Sum).
      assert (down j <= T) by (rewrite <- down_T; now apply term_le_Sum).
      specialize (up_nonneg j). specialize (down_nonneg j).
      rewrite parts. replace (up j - down j) with 0 by lra. ring.
Qed.
End Averages.
