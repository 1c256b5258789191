/**
 * Filters of SCIM (RFC 7644, 3.4.2.2), e.g. `userName eq "ada@lakeshore.example" and active eq true`. Attribute names and operators are read
 * in any case. Ordering (gt, ge, lt, le) is defined for none of the attributes that are kept.
 */
import { ScimError } from './scim-error.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'pr';
export type FilterValue = string | number | boolean | null;

export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  /** `attribute` in lower case, as a path: 'name.givenname', 'emails.value'. */
  | { kind: 'term'; attribute: string; operator: Operator; value: FilterValue };

const OPERATORS: ReadonlySet<string> = new Set<Operator>(['eq', 'ne', 'co', 'sw', 'ew', 'pr']);
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
/** Each level of brackets is one of recursion. */
const MOST_LEVELS = 10;
const MOST_TERMS = 50;

/** Errors: invalidFilter. */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(tokensOf(text));
  const filter = reader.alternatives('', 0);
  if (reader.peek() !== undefined) throw invalid();
  return filter;
}

const invalid = (detail = 'The filter could not be read.'): ScimError => new ScimError('invalidFilter', detail);

const BRACKETS = '()[]';
const isSpace = (char: string): boolean => char.trim() === '';

/** Returns brackets, texts in their quotes, and words. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    const end =
      char === '"' ? endOfText(text, at) : BRACKETS.includes(char) || isSpace(char) ? at + 1 : endOfWord(text, at);
    if (!isSpace(char)) tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
  throw invalid('A text in the filter has no closing quote.');
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !`${BRACKETS}"`.includes(text.charAt(at)) && !isSpace(text.charAt(at))) at += 1;
  return at;
}

class FilterReader {
  private at = 0;
  private terms = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  peek = (): string | undefined => this.tokens[this.at];

  private take(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw invalid('The filter ends too early.');
    this.at += 1;
    return token;
  }

  private takeIf(word: string): boolean {
    if (this.peek()?.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  /** `within`: the attribute whose brackets are being read, with a dot. */
  alternatives(within: string, level: number): Filter {
    return this.joined('or', () => this.joined('and', () => this.factor(within, level)));
  }

  private joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const parts = [part()];
    while (this.takeIf(kind)) parts.push(part());
    return parts.length === 1 ? (parts[0] as Filter) : { kind, parts };
  }

  private factor(within: string, level: number): Filter {
    if (level > MOST_LEVELS) throw invalid('The filter has too many brackets.');
    if (this.takeIf('not')) {
      if (this.peek() !== '(') throw invalid();
      return { kind: 'not', part: this.factor(within, level + 1) };
    }
    if (this.takeIf('(')) return this.closed(')', this.alternatives(within, level + 1));
    const attribute = within + this.take().toLowerCase().replace(URN, '');
    if (this.takeIf('[')) {
      if (within !== '') throw invalid();
      const chosen = this.closed(']', this.alternatives(`${attribute}.`, level + 1));
      // Microsoft Entra ID sends `emails[type eq "work"].value eq "x"`. One account has one address, so both hold of the same.
      return this.peek()?.startsWith('.') === true
        ? { kind: 'and', parts: [chosen, this.term(attribute + this.take().toLowerCase())] }
        : chosen;
    }
    return this.term(attribute);
  }

  private closed(bracket: string, filter: Filter): Filter {
    if (this.take() !== bracket) throw invalid();
    return filter;
  }

  private term(attribute: string): Filter {
    this.terms += 1;
    if (this.terms > MOST_TERMS) throw invalid('The filter has too many conditions.');
    const operator = this.take().toLowerCase();
    if (!OPERATORS.has(operator))
      throw invalid(`The operator is not supported. Supported: ${[...OPERATORS].join(', ')}.`);
    const value = operator === 'pr' ? null : valueOf(this.take());
    return { kind: 'term', attribute, operator: operator as Operator, value };
  }
}

/** Returns a JSON value; nothing but a text, a number, a truth value or null can be one token. */
function valueOf(token: string): FilterValue {
  // Some providers capitalize truth values.
  const json = /^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token;
  try {
    return JSON.parse(json) as FilterValue;
  } catch {
    throw invalid('A value in the filter is not valid JSON.');
  }
}
