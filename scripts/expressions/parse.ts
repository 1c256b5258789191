/** Reads a regular expression into a tree. */

export type Expression =
  /** One character of a set: `source` is an expression of its own, such as `\d` or `[a-z]`. */
  | { kind: 'set'; source: string }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; options: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number }
  /** Holds at some places only: `^`, `$`, `\b`. */
  | { kind: 'assertion'; isStart: boolean }
  | { kind: 'look'; isBehind: boolean; part: Expression };

/** Throws for what it doesn't know. */
export function parseExpression(pattern: string): Expression {
  const reader = new Reader(pattern);
  const tree = reader.choice();
  if (!reader.isAtEnd) throw new Error(`Unexpected ${reader.rest.slice(0, 10)}`);
  return tree;
}

/** Returns the expressions that a tree consists of. */
export function partsOf(tree: Expression): Expression[] {
  if (tree.kind === 'sequence') return tree.parts;
  if (tree.kind === 'choice') return tree.options;
  return tree.kind === 'repeat' || tree.kind === 'look' ? [tree.part] : [];
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;
const ESCAPE = /^\\(?:[pP]\{[^}]+\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[1-9]\d*|[^])/;
const GROUP = /^\((?:\?(?:(<?[=!])|(:)|<[^>=!]+>))?/;

class Reader {
  rest: string;
  /** By number. A backreference matches no more than what its group can match. */
  readonly #groups: Expression[] = [];

  constructor(pattern: string) {
    this.rest = pattern;
  }

  get isAtEnd(): boolean {
    return this.rest === '';
  }

  #take(text: string): string {
    this.rest = this.rest.slice(text.length);
    return text;
  }

  choice(): Expression {
    const options = [this.#sequence()];
    while (this.rest.startsWith('|')) {
      this.#take('|');
      options.push(this.#sequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (!this.isAtEnd && !/^[|)]/.test(this.rest)) parts.push(this.#quantified());
    return { kind: 'sequence', parts };
  }

  #quantified(): Expression {
    const part = this.#atom();
    const found = QUANTIFIER.exec(this.rest);
    if (found === null) return part;
    this.#take(found[0]);
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    const min = Number(least);
    const max = comma === undefined ? min : most ? Number(most) : Number.POSITIVE_INFINITY;
    return { kind: 'repeat', part, min, max };
  }

  #atom(): Expression {
    const first = this.rest.charAt(0);
    if (first === '(') return this.#group();
    if (first === '[') return { kind: 'set', source: this.#take(classAt(this.rest)) };
    if (first === '^' || first === '$') {
      this.#take(first);
      return { kind: 'assertion', isStart: first === '^' };
    }
    if (first !== '\\') return { kind: 'set', source: this.#take(String.fromCodePoint(this.rest.codePointAt(0) ?? 0)) };
    const escape = this.#take(ESCAPE.exec(this.rest)?.[0] ?? '\\');
    if (escape === '\\b' || escape === '\\B') return { kind: 'assertion', isStart: false };
    if (/^\\[1-9]/.test(escape)) return this.#groups[Number(escape.slice(1)) - 1] ?? { kind: 'sequence', parts: [] };
    return { kind: 'set', source: escape };
  }

  #group(): Expression {
    const [start = '(', look, plain] = GROUP.exec(this.rest) ?? [];
    this.#take(start);
    const number = look === undefined && plain === undefined ? this.#groups.push({ kind: 'sequence', parts: [] }) : 0;
    const part = this.choice();
    if (this.#take(this.rest.slice(0, 1)) !== ')') throw new Error('A group is not closed');
    if (number > 0) this.#groups[number - 1] = part;
    return look === undefined ? part : { kind: 'look', isBehind: look.startsWith('<'), part };
  }
}

/** Returns the character class at the beginning of a text. */
function classAt(text: string): string {
  const found = /^\[(?:\\[^]|[^\]\\])*\]/.exec(text);
  if (found === null) throw new Error('A class is not closed');
  return found[0];
}
