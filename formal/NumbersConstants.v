(** Digits of the constants behind 1.256 and of the scalar model's threshold, by interval arithmetic. *)
Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Rankfall Require Import Exponential Tanh ScalarThreshold.
Open Scope R_scope.

(** [perturbation.md#perturbation] The constants for which e^t <= 1 + 2t on [0, T] end at a root mu of e^x = 1 + 2x,
    1.2564312086261696 < mu < 1.2564312086261697. *)
Theorem root_of_perturbation : exists mu,
  1.2564312086261696 < mu < 1.2564312086261697 /\ exp mu = 1 + 2 * mu /\
  forall t, 0 < t -> (exp t <= 1 + 2 * t <-> t <= mu).
Proof.
  assert (low : exp 1.2564312086261696 - (1 + 2 * 1.2564312086261696) < 0) by interval with (i_prec 80).
  assert (high : 0 < exp 1.2564312086261697 - (1 + 2 * 1.2564312086261697)) by interval with (i_prec 80).
  destruct (IVT (fun x => exp x - (1 + 2 * x)) 1.2564312086261696 1.2564312086261697) as [mu [inside root]].
  - intros x. apply derivable_continuous_pt. reg.
  - lra.
  - exact low.
  - exact high.
  - assert (exp mu = 1 + 2 * mu) as at_mu by lra.
    exists mu. repeat split; auto.
    + destruct (Req_dec mu 1.2564312086261696) as [same|]; [rewrite same in *; lra|lra].
    + destruct (Req_dec mu 1.2564312086261697) as [same|]; [rewrite same in *; lra|lra].
    + intros below. destruct (Rle_lt_dec t mu) as [|beyond]; [assumption|exfalso].
      assert (tangent : exp mu * (1 + (t - mu)) <= exp t).
      { replace (exp t) with (exp mu * exp (t - mu)) by (rewrite <- exp_plus; f_equal; lra).
        apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|apply exp_ineq1_le]. }
      rewrite at_mu in tangent. nra.
    + intros below. eapply Rle_trans; [apply (exp_below_chord t mu); lra|]. rewrite at_mu. right. field. lra.
Qed.

(** [refutations.md#convergence-remark] w = 0.01, v = 10: a* = 3.1675755355... *)
Theorem threshold_digits : 3.1675755355 < threshold 10 0.01 < 3.1675755356.
Proof. unfold threshold, artanh. split; interval with (i_prec 80). Qed.
