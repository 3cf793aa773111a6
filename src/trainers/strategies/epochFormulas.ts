import type {
  ExponentialOptions,
  LinearOptions,
  MultiStepOptions,
  PolynomialOptions,
  WarmRestartsOptions,
} from "./scheduleOptions.js";

/** The learning rate of an epoch, counted from 0, by the rate that the optimizer has from the start. */
export type RateAt = (rate: number, epoch: number) => number;

// Each gives the rates of PyTorch's schedule of that name.

/** `MultiStepLR`: times `gamma` for every milestone that is reached. */
export function multiStep({ milestones, milestone_steps, gamma }: MultiStepOptions): RateAt {
  const at = milestones ?? (milestone_steps ?? "").split(",").map((step) => Number.parseInt(step, 10));
  return (rate, epoch) => rate * gamma ** at.filter((milestone) => milestone <= epoch).length;
}

/** `ExponentialLR`: times `gamma` after every epoch. */
export function exponential({ gamma }: ExponentialOptions): RateAt {
  return (rate, epoch) => rate * gamma ** epoch;
}

/** `LinearLR`: the factor goes in a straight line from one to the other, and stays there. */
export function linear({ start_factor, end_factor, total_iters }: LinearOptions): RateAt {
  return (rate, epoch) =>
    rate * (start_factor + (end_factor - start_factor) * Math.min(1, epoch / total_iters));
}

/** `PolynomialLR`: times (1 - epoch / total_iters)^power, and 0 after that. */
export function polynomial({ total_iters, power }: PolynomialOptions): RateAt {
  return (rate, epoch) => rate * (1 - Math.min(1, epoch / total_iters)) ** power;
}

/**
 * `CosineAnnealingWarmRestarts` (Loshchilov and Hutter 2017, arXiv:1608.03983): down along half a cosine in `T_0`
 * epochs, then from the top again in `T_mult` times as many, and so on.
 */
export function warmRestarts({ T_0, T_mult, eta_min }: WarmRestartsOptions): RateAt {
  return (rate, epoch) => {
    let span = T_0;
    let since = epoch;
    while (since >= span) {
      since -= span;
      span *= T_mult;
    }
    return eta_min + ((rate - eta_min) * (1 + Math.cos((Math.PI * since) / span))) / 2;
  };
}
