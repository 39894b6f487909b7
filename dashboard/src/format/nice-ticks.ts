const STEPS = [1, 2, 2.5, 5, 10];
const TICKS_MAX = 5;

/** Returns round integer ticks from 0 to the first one at or above `top`, in at most five steps. */
export function niceTicks(top: number): number[] {
  const least = Math.max(1, top / TICKS_MAX);
  const power = 10 ** Math.floor(Math.log10(least));
  const fittingStep = STEPS.map((step) => step * power).find(
    (step) => step >= least && Number.isInteger(step),
  );
  const step = fittingStep ?? 10 * power;
  const count = Math.max(1, Math.ceil(top / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
