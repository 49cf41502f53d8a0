(** A layer as a map of a reference and a residual in which nothing cancels. *)
Require Import Reals Lra Lia FunctionalExtensionality.
From Rankfall Require Import Sums TotalVariation Softmax Norms Diameters Attention Residual.
Open Scope R_scope.

(** E = R A R^T with A = W_QK / sqrt d_qk; R has d columns. *)
Definition residual_scores (d : nat) (h : head) (R : matrix) : matrix := fun i j =>
  form d d (W_QK h) (R i) (R j) / sqrt (INR (d_qk h)).

(** r = (R W_QK^T x + R W_K b_Q) / sqrt d_qk. *)
Definition common_scores (d : nat) (h : head) (x : vector) (R : matrix) : vector := fun j =>
  (form d d (W_QK h) x (R j) + Sum d (fun b => R j b * Sum (d_qk h) (fun m => W_K h b m * b_Q h m)))
  / sqrt (INR (d_qk h)).

(** q = softmax(r), D = P - 1 q^T, and what a head makes of the residual, D R W. *)
Definition common_attention (n d : nat) (h : head) (x : vector) (R : matrix) : vector :=
  softmax n (common_scores d h x R).

Section Layer.
Variables (n d : nat).
Hypothesis n_pos : (0 < n)%nat.

Definition deviation (h : head) (x : vector) (X : matrix) : matrix := fun i j =>
  attention n d h X i j - common_attention n d h x (about X x) j.

Definition head_residual (h : head) (x : vector) (X : matrix) : matrix := fun i k =>
  Sum n (fun j => deviation h x X i j * value_map d (W h) (about X x j) k).

(** R' and x' of a layer without skip. *)
Definition next_residual (l : layer) (x : vector) (X : matrix) : matrix := fun i k =>
  Sum (head_count l) (fun h => head_residual (heads l h) x X i k).

Definition next_reference (l : layer) (x : vector) (X : matrix) : vector := fun k =>
  Sum (head_count l) (fun h =>
    let g := heads l h in
    value_map d (W g) (fun a => x a + Sum n (fun j => common_attention n d g x (about X x) j * about X x j a)) k
    + Sum (d_v g) (fun m => b_V g m * W_O g m k)) + b_O l k.

Lemma scores_split h x X i j :
  scores d h X i j = common_scores d h x (about X x) j + residual_scores d h (about X x) i j
    + Sum (d_qk h) (fun m => (Sum d (fun a => X i a * W_Q h a m) + b_Q h m)
        * (Sum d (fun b => x b * W_K h b m) + b_K h m)) / sqrt (INR (d_qk h)).
Proof.
  unfold scores, common_scores, residual_scores, Rdiv. rewrite <- !Rmult_plus_distr_r. f_equal.
  set (R := about X x).
  set (q0 := fun m => Sum d (fun a => x a * W_Q h a m)). set (u := fun m => Sum d (fun a => R i a * W_Q h a m)).
  set (k0 := fun m => Sum d (fun b => x b * W_K h b m)). set (v := fun m => Sum d (fun b => R j b * W_K h b m)).
  assert (query : forall m, Sum d (fun a => X i a * W_Q h a m) = q0 m + u m).
  { intros. unfold q0, u. rewrite <- Sum_plus. apply Sum_ext. intros. unfold R, about. ring. }
  assert (key : forall m, Sum d (fun a => X j a * W_K h a m) = k0 m + v m).
  { intros. unfold k0, v. rewrite <- Sum_plus. apply Sum_ext. intros. unfold R, about. ring. }
  assert (form_of : forall y, form d d (W_QK h) y (R j)
    = Sum (d_qk h) (fun m => Sum d (fun a => y a * W_Q h a m) * v m)).
  { intros. unfold form, W_QK, product, transposed, v.
    transitivity (Sum d (fun a => Sum d (fun b => Sum (d_qk h) (fun m => y a * W_Q h a m * (R j b * W_K h b m))))).
    - apply Sum_ext. intros. apply Sum_ext. intros. rewrite <- Sum_scale, <- Sum_scale_r. apply Sum_ext. intros. ring.
    - rewrite (Sum_ext d _ (fun a => Sum (d_qk h) (fun m => Sum d (fun b => y a * W_Q h a m * (R j b * W_K h b m)))))
        by (intros; apply Sum_swap).
      rewrite Sum_swap. apply Sum_ext. intros. now rewrite Sum_product. }
  assert (bias : Sum d (fun b => R j b * Sum (d_qk h) (fun m => W_K h b m * b_Q h m))
    = Sum (d_qk h) (fun m => b_Q h m * v m)).
  { unfold v. transitivity (Sum d (fun b => Sum (d_qk h) (fun m => b_Q h m * (R j b * W_K h b m)))).
    - apply Sum_ext. intros. rewrite <- Sum_scale. apply Sum_ext. intros. ring.
    - rewrite Sum_swap. apply Sum_ext. intros. apply Sum_scale. }
  rewrite !form_of, bias, <- !Sum_plus. apply Sum_ext. intros m ?.
  unfold affine, product. rewrite !query, !key. fold (q0 m) (u m) (k0 m). ring.
Qed.

(** [exact-reduction.md#exact-reduction] P_i is the softmax of r + E_i: the key bias drops out. *)
Theorem attention_reduced h x X i j : (j < n)%nat ->
  attention n d h X i j
  = softmax n (fun j => common_scores d h x (about X x) j + residual_scores d h (about X x) i j) j.
Proof.
  intros. unfold attention. eapply softmax_shift; [exact n_pos| |assumption].
  intros. apply scores_split.
Qed.

(** [exact-reduction.md#exact-reduction] X' = 1 x'^T + R' with R' = sum_h D_h R W_h. *)
Theorem layer_reduced l x X i k : about (SA n d l X) (next_reference l x X) i k = next_residual l x X i k.
Proof.
  unfold about at 1, SA, next_reference, next_residual.
  match goal with |- ?a + ?c - (?b + ?c) = _ => replace (a + c - (b + c)) with (a - b) by ring end.
  rewrite <- Sum_minus. apply Sum_ext. intros h ?. set (g := heads l h). cbv zeta.
  set (P := attention n d g X). set (q := common_attention n d g x (about X x)).
  assert (P_one : Sum n (P i) = 1) by now apply attention_distribution.
  assert (q_one : Sum n q = 1) by now apply softmax_distribution.
  set (w := fun y => value_map d (W g) y k).
  set (bias := Sum (d_v g) (fun m => b_V g m * W_O g m k)).
  assert (w_split : forall j, w (X j) = w x + w (about X x j)).
  { intros. unfold w, value_map. rewrite <- Sum_plus. apply Sum_ext. intros. unfold about. ring. }
  assert (output : head_output n d g X i k = Sum n (fun j => P i j * w (X j)) + bias).
  { rewrite head_output_row by assumption. reflexivity. }
  assert (reference : w (fun a => x a + Sum n (fun j => q j * about X x j a))
    = w x + Sum n (fun j => q j * w (about X x j))).
  { unfold w, value_map. rewrite (Sum_ext d _ (fun a => x a * W g a k + Sum n (fun j => q j * (about X x j a * W g a
    k)))).
    - rewrite Sum_plus, Sum_swap. f_equal. apply Sum_ext. intros. now rewrite Sum_scale.
    - intros. rewrite Rmult_plus_distr_r, <- Sum_scale_r. f_equal. apply Sum_ext. intros. ring. }
  fold (w (fun a => x a + Sum n (fun j => q j * about X x j a))). rewrite output, reference.
  rewrite (Sum_ext n (fun j => P i j * w (X j)) (fun j => P i j * w x + P i j * w (about X x j)))
    by (intros; rewrite w_split; ring).
  rewrite Sum_plus, Sum_scale_r, P_one. unfold head_residual, deviation. fold P q.
  rewrite (Sum_ext n (fun j => (P i j - q j) * value_map d (W g) (about X x j) k)
    (fun j => P i j * w (about X x j) - q j * w (about X x j))) by (intros; unfold w; ring).
  rewrite Sum_minus. ring.
Qed.

End Layer.
