/**
 * Finds regular expressions that can take more than linear time (Weideman et al., 'Analyzing matching time behavior of backtracking
 * regular expression matchers', 2016). A backtracking matcher is slow on a text that leads from a loop to itself in two ways
 * (exponential), or stays in one loop and also moves on to a second one (polynomial), if the match can then fail. Searching is a loop too:
 * `\s+$` starts again at every blank.
 */
import { automatonOf, type State } from './automaton.ts';
import { type Expression, parseExpression, partsOf } from './parse.ts';

/** Returns why an expression may take more than linear time, or null if it can't. */
export function slowness(pattern: string, flags: string): string | null {
  let tree: Expression;
  try {
    tree = parseExpression(pattern);
    return (
      slownessOf(tree, flags) ??
      looksOf(tree)
        .map((look) => slownessOfLook(look, flags))
        .find((each) => each !== null) ??
      null
    );
  } catch (error) {
    return `can't be examined: ${(error as Error).message}`;
  }
}

function slownessOf(tree: Expression, flags: string): string | null {
  const states = automatonOf(tree, flags);
  const loops = loopsOf(states);
  const inLoops = [...states.keys()].filter((state) => loops[state] !== undefined);
  const canFail = inLoops.filter((state) => !states[state]?.endsFreely);
  // What holds for one state of a loop holds for all of it.
  const ofEachLoop = canFail.filter(
    (state, index) => canFail.findIndex((other) => loops[other] === loops[state]) === index,
  );
  if (ofEachLoop.some((state) => isRepeatedTwice(states, loops, state))) {
    return 'a loop can repeat the same text in two ways';
  }
  const isShared = canFail.some((second) =>
    inLoops.some((first) => loops[first] !== loops[second] && overlaps(states, loops, first, second)),
  );
  return isShared ? 'two loops, or a loop and the search, can divide the same text in many ways' : null;
}

/** A look ahead is tried at every place, like a search. One behind is read backward, so it must not loop. */
function slownessOfLook({ part, isBehind }: Look, flags: string): string | null {
  if (isBehind) return hasLoop(part) ? 'a look behind has a loop' : null;
  return slownessOf({ kind: 'sequence', parts: [part, { kind: 'assertion', isStart: false }] }, flags);
}

type Look = Extract<Expression, { kind: 'look' }>;

function looksOf(tree: Expression): Look[] {
  if (tree.kind === 'look') return [tree, ...looksOf(tree.part)];
  return partsOf(tree).flatMap(looksOf);
}

const hasLoop = (tree: Expression): boolean =>
  (tree.kind === 'repeat' && tree.max === Number.POSITIVE_INFINITY) || partsOf(tree).some(hasLoop);

/** Returns for each state the number of its loop (states that reach each other); undefined if it is in none. */
function loopsOf(states: readonly State[]): (number | undefined)[] {
  const reached = states.map((state) => {
    const seen = new Set<number>();
    const open = [...state.next.keys()];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(states[at]?.next.keys() ?? []));
    }
    return seen;
  });
  return states.map((_, state) => {
    if (!reached[state]?.has(state)) return undefined;
    return reached.findIndex((from, other) => from.has(state) && reached[state]?.has(other));
  });
}

/** Whether a text leads from a state back to it in two ways. */
function isRepeatedTwice(states: readonly State[], loops: readonly (number | undefined)[], state: number): boolean {
  const within = loops[state];
  const inside = (to: number) => loops[to] === within;
  const start = { at: [state, state], hasParted: false };
  return search(
    start,
    (each) => each.hasParted && each.at.every((at) => at === state),
    ({ at, hasParted }) => {
      const [one = 0, other = 0] = at;
      const found = [];
      for (const [a, ways] of stepsOf(states, one)) {
        for (const [b] of stepsOf(states, other)) {
          if (!inside(a) || !inside(b) || !share(states, a, b)) continue;
          found.push({ at: [a, b], hasParted: hasParted || a !== b || (one === other && ways > 1) });
        }
      }
      return found;
    },
  );
}

/** Whether a text leads from `first` to itself, from `first` to `second`, and from `second` to itself. */
function overlaps(
  states: readonly State[],
  loops: readonly (number | undefined)[],
  first: number,
  second: number,
): boolean {
  const start = { at: [first, first, second], hasParted: true };
  const isEnd = ({ at: [x, y, z] }: Walk) => x === first && y === second && z === second;
  return search(start, isEnd, ({ at: [x = 0, y = 0, z = 0] }) => {
    const found: Walk[] = [];
    for (const [a] of stepsOf(states, x)) {
      if (loops[a] !== loops[first]) continue;
      for (const [c] of stepsOf(states, z)) {
        if (loops[c] !== loops[second] || !share(states, a, c)) continue;
        for (const [b] of stepsOf(states, y)) {
          if (share(states, a, b, c)) found.push({ at: [a, b, c], hasParted: true });
        }
      }
    }
    return found;
  });
}

interface Walk {
  at: number[];
  hasParted: boolean;
}

const stepsOf = (states: readonly State[], state: number) => states[state]?.next ?? new Map<number, number>();

function share(states: readonly State[], ...of: number[]): boolean {
  return of.reduce((common, state) => common & (states[state]?.accepts ?? 0n), -1n) !== 0n;
}

/** Returns whether an end can be reached. Walks are told apart by a number. */
function search(start: Walk, isEnd: (walk: Walk) => boolean, next: (walk: Walk) => Walk[]): boolean {
  const seen = new Set<number>();
  const open = next(start);
  for (let walk = open.pop(); walk !== undefined; walk = open.pop()) {
    if (isEnd(walk)) return true;
    const key = walk.at.reduce((sum, at) => sum * 1000 + at, Number(walk.hasParted));
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...next(walk));
  }
  return false;
}
