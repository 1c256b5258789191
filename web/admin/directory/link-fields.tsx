import { Textarea, TextInput } from '@mantine/core';
import { isLinkUrl, LINK_URL_MAX, LINK_URL_PROBLEM } from '#contract/exchange-link-words.ts';
import type { ExchangeLink, LinkField, PulseLink } from '#contract/exchange-links.ts';
import { STATE_LABELS, type UsState } from '#contract/states.ts';
import { textOf } from '../../forms/fields.ts';
import type { Form } from '../../forms/use-form.ts';
import type { LinkValues, SettingsValues } from './settings-values.ts';

const written = (link: ExchangeLink | null): string =>
  (link?.fields ?? []).map(({ name, value }) => `${name}=${value}`).join('\n');

export const linkValuesOf = (pulse: PulseLink | null, vynca: ExchangeLink | null): LinkValues => ({
  pulseUrl: pulse?.url ?? '',
  pulseFields: written(pulse),
  pulseStates: pulse?.states.join(', ') ?? '',
  vyncaUrl: vynca?.url ?? '',
  vyncaFields: written(vynca),
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A line without a name and = has an empty name, which the check below refuses. */
const fieldsOf = (text: string): LinkField[] =>
  linesOf(text).map((line) => {
    const at = line.indexOf('=');
    return { name: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });

const statesOf = (text: string): string[] =>
  text
    .split(',')
    .map((state) => state.trim().toUpperCase())
    .filter(Boolean);
const isState = (state: string): state is UsState => Object.hasOwn(STATE_LABELS, state);

const urlProblem = (url: string): string | undefined =>
  url.trim() === '' || isLinkUrl(url.trim()) ? undefined : LINK_URL_PROBLEM;
const fieldsProblem = (text: string): string | undefined =>
  fieldsOf(text).some(({ name }) => name === '') ? 'Enter one field per line, as name=value.' : undefined;

/** Returns what is wrong with the links, by field. */
export const linkProblems = (values: LinkValues): Record<keyof LinkValues, string | undefined> => ({
  pulseUrl: urlProblem(values.pulseUrl),
  pulseFields: fieldsProblem(values.pulseFields),
  pulseStates: statesOf(values.pulseStates).every(isState) ? undefined : 'Enter two-letter states, such as WI, MI.',
  vyncaUrl: urlProblem(values.vyncaUrl),
  vyncaFields: fieldsProblem(values.vyncaFields),
});

/** Returns the links for the server; null for one without an address. */
export const linksOf = (values: LinkValues): { pulse: PulseLink | null; vynca: ExchangeLink | null } => {
  const [pulseUrl, vyncaUrl] = [values.pulseUrl.trim(), values.vyncaUrl.trim()];
  const states = statesOf(values.pulseStates).filter(isState);
  return {
    pulse: pulseUrl ? { url: pulseUrl, fields: fieldsOf(values.pulseFields), states } : null,
    vynca: vyncaUrl ? { url: vyncaUrl, fields: fieldsOf(values.vyncaFields) } : null,
  };
};

const PLACEHOLDERS =
  'One per line, as name=value. Values can contain {firstName}, {lastName}, {dateOfBirth}, {gender}, {zip}, and {memberId}.';

/** The inputs of both links. */
export const LinkInputs = ({ form }: { form: Form<SettingsValues> }) => (
  <>
    <TextInput
      label="WISHIN Pulse address"
      description="Patients open there by a form, so that no identifier is in an address. Empty: not used."
      maxLength={LINK_URL_MAX}
      {...textOf(form, 'pulseUrl')}
    />
    <TextInput
      label="WISHIN Pulse states"
      description="Offered for patients who live there. Example: WI, MI"
      maxLength={300}
      {...textOf(form, 'pulseStates')}
    />
    <Textarea label="WISHIN Pulse form fields" description={PLACEHOLDERS} rows={4} {...textOf(form, 'pulseFields')} />
    <TextInput
      label="Vynca address"
      description="Offered for patients whose roster names an advance care document. Empty: not used."
      maxLength={LINK_URL_MAX}
      {...textOf(form, 'vyncaUrl')}
    />
    <Textarea label="Vynca form fields" description={PLACEHOLDERS} rows={4} {...textOf(form, 'vyncaFields')} />
  </>
);
