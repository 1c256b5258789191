/** What is wrong with a value that a caller sent, in a sentence. For rules of the contract that have no words of their own. */
import { type core, z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
/** Of a list of allowed values or unknown names. */
const MOST_NAMED = 20;

const listed = (values: readonly unknown[]): string =>
  [...values.slice(0, MOST_NAMED).map(String), ...(values.length > MOST_NAMED ? ['…'] : [])].join(', ');

const size = (amount: number | bigint, origin: string): string =>
  origin === 'string' ? `${amount} characters` : origin === 'array' ? `${amount} entries` : String(amount);

/** Returns the sentence; undefined leaves it to the library. */
function sentence(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Is missing.' : `Must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${listed(issue.values)}.`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number') return 'Must not be empty.';
      return `Must ${issue.origin === 'number' ? 'be' : 'have'} at least ${size(issue.minimum, issue.origin)}.`;
    case 'too_big':
      return `Must ${issue.origin === 'number' ? 'be' : 'have'} at most ${size(issue.maximum, issue.origin)}.`;
    case 'unrecognized_keys':
      return `Has unknown fields: ${listed(issue.keys.map((key) => key.slice(0, 40)))}.`;
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'Has a form that is not allowed.';
    default:
      return undefined;
  }
}

/** Makes the server say what is wrong in these words. */
export const setInvalidWords = (): void => {
  z.config({ customError: sentence });
};
