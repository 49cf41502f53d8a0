(** The hyperbolic tangent and its inverse. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rankfall Require Import Exponential.
Open Scope R_scope.

Lemma exp_plus_one_pos u : 0 < exp u + 1.
Proof. pose proof (exp_pos u). lra. Qed.

Lemma tanh_exp u : tanh u = (exp (2 * u) - 1) / (exp (2 * u) + 1).
Proof.
  unfold tanh, sinh, cosh. rewrite exp_Ropp. replace (2 * u) with (u + u) by lra.
  rewrite exp_plus. pose proof (exp_pos u).
  assert (0 < exp u * exp u) by now apply Rmult_lt_0_compat.
  assert (0 < exp u + / exp u) by (pose proof (Rinv_0_lt_compat _ H); lra).
  field. repeat split; nra.
Qed.

Lemma tanh_le u v : u <= v -> tanh u <= tanh v.
Proof.
  intros. rewrite !tanh_exp.
  assert (exp (2 * u) <= exp (2 * v)).
  { destruct H as [H| ->]; [|lra]. apply Rlt_le, exp_increasing. lra. }
  pose proof (exp_plus_one_pos (2 * u)). pose proof (exp_plus_one_pos (2 * v)).
  apply Rle_div_l; [lra|]. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc.
  apply Rle_div_r; [lra|]. nra.
Qed.

Lemma tanh_lt u v : u < v -> tanh u < tanh v.
Proof.
  intros. rewrite !tanh_exp.
  assert (exp (2 * u) < exp (2 * v)) by (apply exp_increasing; lra).
  pose proof (exp_plus_one_pos (2 * u)). pose proof (exp_plus_one_pos (2 * v)).
  apply Rlt_div_l; [lra|]. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc.
  apply Rlt_div_r; [lra|]. nra.
Qed.

Lemma tanh_0 : tanh 0 = 0.
Proof. rewrite tanh_exp, Rmult_0_r, exp_0. lra. Qed.

Lemma tanh_nonneg u : 0 <= u -> 0 <= tanh u.
Proof. intros. rewrite <- tanh_0. now apply tanh_le. Qed.

Lemma tanh_pos u : 0 < u -> 0 < tanh u.
Proof. intros. rewrite <- tanh_0. now apply tanh_lt. Qed.

Lemma tanh_lt_1 u : tanh u < 1.
Proof.
  rewrite tanh_exp. pose proof (exp_plus_one_pos (2 * u)). apply Rlt_div_l; lra.
Qed.

(** tanh u <= u for u >= 0: the step from a tangent to a cube. *)
Lemma tanh_le_id u : 0 <= u -> tanh u <= u.
Proof.
  intros. rewrite tanh_exp. pose proof (exp_plus_one_pos (2 * u)). apply Rle_div_l; [lra|].
  enough (0 * (exp (2 * 0) + 1) - (exp (2 * 0) - 1) <= u * (exp (2 * u) + 1) - (exp (2 * u) - 1)).
  { rewrite Rmult_0_r, exp_0 in *. lra. }
  apply (nondecreasing (fun x => x * (exp (2 * x) + 1) - (exp (2 * x) - 1))
    (fun x => exp (2 * x) * (2 * x - 1) + 1)); [lra| |].
  - intros. auto_derive; [trivial|]. ring.
  - intros x ?. pose proof (exp_neg_lower (2 * x)). pose proof (exp_pos (2 * x)).
    rewrite exp_Ropp in *.
    assert (exp (2 * x) * (1 - 2 * x) <= exp (2 * x) * / exp (2 * x)) by (apply Rmult_le_compat_l; lra).
    rewrite Rinv_r in * by lra. lra.
Qed.

Definition artanh x := ln ((1 + x) / (1 - x)) / 2.

Lemma tanh_artanh x : -1 < x < 1 -> tanh (artanh x) = x.
Proof.
  intros. rewrite tanh_exp. unfold artanh.
  replace (2 * (ln ((1 + x) / (1 - x)) / 2)) with (ln ((1 + x) / (1 - x))) by lra.
  rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
Qed.

Lemma artanh_pos x : 0 < x < 1 -> 0 < artanh x.
Proof.
  intros. destruct (Rle_lt_dec (artanh x) 0) as [low|]; [|lra].
  apply tanh_le in low. rewrite tanh_artanh, tanh_0 in low by lra. lra.
Qed.
