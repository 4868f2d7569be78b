/** What happens to one call of a stand-in instead of, or beside, its effect. */
export type CallFault<Failure> =
  | { readonly kind: "reject"; readonly failure: Failure }
  | { readonly kind: "lose" }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "hold"; readonly released: Promise<void> };

interface Rule<Failure, Call> {
  readonly fits: (call: Call) => boolean;
  readonly fault: CallFault<Failure>;
  remaining: number;
}

/** The faults that a test set for the next calls, in that order. `Call` is what tells calls apart: a method's name, or more. */
export function createCallRules<Failure, Call = string>() {
  let rules: Rule<Failure, Call>[] = [];
  const add = (fits: (call: Call) => boolean, fault: CallFault<Failure>, times = 1) => {
    const rule = { fits, fault, remaining: times };
    rules.push(rule);
    return rule;
  };
  return {
    add: (...rule: Parameters<typeof add>): void => void add(...rule),
    /** Calls wait until the returned function is called. */
    hold: (fits: (call: Call) => boolean): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const rule = add(fits, { kind: "hold", released: promise }, Number.POSITIVE_INFINITY);
      return () => {
        rules = rules.filter((other) => other !== rule);
        resolve();
      };
    },
    /** What happens to this call. */
    take: (call: Call): CallFault<Failure> | undefined => {
      const rule = rules.find((one) => one.remaining > 0 && one.fits(call));
      if (!rule) return undefined;
      rule.remaining -= 1;
      rules = rules.filter((one) => one.remaining > 0);
      return rule.fault;
    },
    clear: (): void => {
      rules = [];
    },
  };
}

/** Fits a method by its name, in any case; `*` fits all. */
export function methodIs(method: string): (call: string) => boolean {
  return (call) => method === "*" || method.toLowerCase() === call.toLowerCase();
}
