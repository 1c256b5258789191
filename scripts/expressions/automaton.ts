/**
 * An expression as an automaton without empty steps (Glushkov, 1961): a state for each character of the expression, and the states that can
 * follow each. Where two loops allow the same step, it is counted twice, because a backtracking matcher tries both.
 */
import { type Expression, partsOf } from './parse.ts';

export interface State {
  /** A bit for each kind of character that it accepts. Characters are of one kind if the expression never distinguishes them. */
  accepts: bigint;
  /** How many ways lead from here to another state. */
  next: Map<number, number>;
  /** Whether the match can end here whatever follows, so that no attempt through here fails. */
  endsFreely: boolean;
}

const ANY = '[^]';
/** More states than this are not examined. */
const MAX_STATES = 400;
/** A repetition with more room than this counts as one without end. */
const LONGEST_COUNT = 64;

/** Part of an automaton: where it begins, where it ends (and whether freely), and whether it can be passed without a character. */
interface Part {
  first: number[];
  last: Map<number, boolean>;
  empty: 'never' | 'guarded' | 'always';
}

const NOTHING: Part = { first: [], last: new Map(), empty: 'always' };

/** Builds the automaton of an expression that is searched for in a text. Throws if it has too many states. */
export function automatonOf(tree: Expression, flags: string): State[] {
  const builder = new Builder(kindsOfCharacters(tree, flags.replace(/[gymd]/g, '')));
  const search: Expression = {
    kind: 'repeat',
    part: { kind: 'set', source: ANY },
    min: 0,
    max: Number.POSITIVE_INFINITY,
  };
  const options = tree.kind === 'choice' ? tree.options : [tree];
  const isSearched = (option: Expression) => flags.includes('m') || !isAnchored(option);
  const searched = options.filter(isSearched);
  const anchored = options.filter((option) => !isSearched(option));
  const afterSearch: Expression = { kind: 'sequence', parts: [search, { kind: 'choice', options: searched }] };
  const whole = builder.build({ kind: 'choice', options: searched.length > 0 ? [...anchored, afterSearch] : anchored });
  for (const [state, isFree] of whole.last) if (isFree) (builder.states[state] as State).endsFreely = true;
  return builder.states;
}

function isAnchored(tree: Expression): boolean {
  if (tree.kind === 'assertion') return tree.isStart;
  if (tree.kind === 'choice') return tree.options.every(isAnchored);
  return tree.kind === 'sequence' && tree.parts[0] !== undefined && isAnchored(tree.parts[0]);
}

class Builder {
  readonly states: State[] = [];
  readonly #kinds: ReadonlyMap<string, bigint>;

  constructor(kinds: ReadonlyMap<string, bigint>) {
    this.#kinds = kinds;
  }

  build(tree: Expression): Part {
    switch (tree.kind) {
      case 'set':
        return this.#state(tree.source);
      case 'sequence':
        return tree.parts.reduce((before, part) => this.#join(before, this.build(part)), NOTHING);
      case 'choice':
        return tree.options.map((option) => this.build(option)).reduce(either, { ...NOTHING, empty: 'never' });
      case 'repeat':
        return this.#repeat(tree);
      default:
        // What a look around holds is examined by itself (`ambiguity.ts`).
        return { ...NOTHING, empty: 'guarded' };
    }
  }

  #state(source: string): Part {
    if (this.states.length >= MAX_STATES) throw new Error('too many states');
    this.states.push({ accepts: this.#kinds.get(source) ?? 0n, next: new Map(), endsFreely: false });
    const state = this.states.length - 1;
    return { first: [state], last: new Map([[state, true]]), empty: 'never' };
  }

  #repeat({ part, min, max }: Extract<Expression, { kind: 'repeat' }>): Part {
    const isEndless = max - min > LONGEST_COUNT || max === Number.POSITIVE_INFINITY;
    let whole = NOTHING;
    for (let n = 0; n < (isEndless ? min - 1 : min); n += 1) whole = this.#join(whole, this.build(part));
    if (isEndless) {
      const loop = this.build(part);
      this.#link(loop, loop);
      return this.#join(whole, min === 0 ? { ...loop, empty: 'always' } : loop);
    }
    let rest = NOTHING;
    for (let n = 0; n < max - min; n += 1) rest = { ...this.#join(this.build(part), rest), empty: 'always' };
    return this.#join(whole, rest);
  }

  #join(before: Part, after: Part): Part {
    this.#link(before, after);
    const last = new Map(after.last);
    if (after.empty !== 'never') {
      for (const [state, isFree] of before.last) last.set(state, isFree && after.empty === 'always');
    }
    return {
      first: before.empty === 'never' ? before.first : [...before.first, ...after.first],
      last,
      empty: [before.empty, after.empty].includes('never')
        ? 'never'
        : before.empty === 'guarded'
          ? 'guarded'
          : after.empty,
    };
  }

  #link(before: Part, after: Part): void {
    for (const from of before.last.keys()) {
      const { next } = this.states[from] as State;
      for (const to of after.first) next.set(to, (next.get(to) ?? 0) + 1);
    }
  }
}

function either(one: Part, other: Part): Part {
  const empty = [one.empty, other.empty].includes('always')
    ? 'always'
    : [one.empty, other.empty].includes('guarded')
      ? 'guarded'
      : 'never';
  return { first: [...one.first, ...other.first], last: new Map([...one.last, ...other.last]), empty };
}

/** Characters that stand for all: Latin, and some of each kind that expressions distinguish. Those of the expression itself are added. */
const SAMPLES = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)),
  ...'\u0301\u02bc\u2009\u2013\u2019\u2028\u3000\ufeff\ud800\u0416\u0436\u6f22\u05d0\u0661\u20ac\u1e9e\u212a',
];

/** Returns the kinds of characters that each set of an expression accepts, as bits. */
function kindsOfCharacters(tree: Expression, flags: string): Map<string, bigint> {
  const sources = [...new Set([ANY, ...sourcesOf(tree)])];
  const sets = sources.map((source) => new RegExp(`^(?:${source})$`, flags));
  const samples = new Set([...SAMPLES, ...sources.join('')]);
  const kinds = new Set([...samples].map((character) => sets.map((set) => Number(set.test(character))).join('')));
  const bits = (index: number) =>
    [...kinds].reduce((sum, kind, bit) => (kind[index] === '1' ? sum | (1n << BigInt(bit)) : sum), 0n);
  return new Map(sources.map((source, index) => [source, bits(index)]));
}

function sourcesOf(tree: Expression): string[] {
  return tree.kind === 'set' ? [tree.source] : partsOf(tree).flatMap(sourcesOf);
}
