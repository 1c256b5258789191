import { Button, SimpleGrid, TextInput } from '@mantine/core';
import type { RecordSettings } from '#contract/record-settings.ts';
import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule, RULE_LIMITS } from '#contract/rising-risk-words.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { useForm } from '../../forms/use-form.ts';
import { useSession } from '../../session/session.ts';
import classes from '../admin.module.css';
import { RiskPreview } from './risk-preview.tsx';

type Values = Record<keyof RisingRiskRule, string>;
const NUMBERS = Object.keys(DEFAULT_RISING_RISK_RULE) as (keyof RisingRiskRule)[];

const LABELS: Record<keyof RisingRiskRule, string> = {
  visits: 'Visits, at least',
  days: 'Within days',
  factor: 'Times own average',
  multiVisits: 'Visits in 180 days',
  multiMonths: 'Separate months',
};

const valuesOf = (rule: RisingRiskRule): Values =>
  Object.fromEntries(NUMBERS.map((name) => [name, String(rule[name])])) as Values;

/** Returns the rule; call it only without problems. */
const ruleOf = (values: Values): RisingRiskRule =>
  Object.fromEntries(NUMBERS.map((name) => [name, Number(values[name])])) as unknown as RisingRiskRule;

const problemOf = (name: keyof RisingRiskRule, text: string): string | undefined => {
  const [least, most] = RULE_LIMITS[name];
  const step = name === 'factor' ? 0.5 : 1;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const fits = value >= least && value <= most && Number.isInteger(value / step);
  if (fits) return undefined;
  return name === 'factor'
    ? `Enter a number from ${least} to ${most}, in steps of 0.5.`
    : `Enter a whole number from ${least} to ${most}.`;
};

const problemsOf = (values: Values) =>
  Object.fromEntries(NUMBERS.map((name) => [name, problemOf(name, values[name])])) as Record<
    keyof RisingRiskRule,
    string | undefined
  >;

const isDefault = (rule: RisingRiskRule): boolean =>
  NUMBERS.every((name) => rule[name] === DEFAULT_RISING_RISK_RULE[name]);

interface Props {
  settings: RecordSettings;
  saved: () => void;
  close: () => void;
}

/** By which numbers the organization's teams list people as rising risk, and whom other numbers would have listed. */
export const RiskRuleDrawer = ({ settings, saved, close }: Props) => {
  const { can } = useSession();
  const form = useForm<Values, RecordSettings>({
    initial: valuesOf(settings.risingRisk ?? DEFAULT_RISING_RISK_RULE),
    check: problemsOf,
    save: (values) => {
      const rule = ruleOf(values);
      return call('PUT /api/admin/record-settings', { body: { risingRisk: isDefault(rule) ? null : rule } });
    },
    saved,
  });
  const input = (name: keyof RisingRiskRule) => (
    <TextInput key={name} label={LABELS[name]} inputMode="decimal" {...textOf(form, name)} />
  );
  const problems = problemsOf(form.values);
  const isValid = Object.values(problems).every((problem) => problem === undefined);
  return (
    <EditDrawer title="Rising-risk rule" form={form} submit="Save" close={close}>
      <fieldset className={classes.numbers}>
        <legend>Rising risk: unplanned acute visits</legend>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>{(['visits', 'days', 'factor'] as const).map(input)}</SimpleGrid>
      </fieldset>
      <fieldset className={classes.numbers}>
        <legend>Multi-visit patient without rising risk: unplanned acute visits</legend>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>{(['multiVisits', 'multiMonths'] as const).map(input)}</SimpleGrid>
      </fieldset>
      <Button
        variant="default"
        size="compact-xs"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.change(valuesOf(DEFAULT_RISING_RISK_RULE))}
      >
        Use the default numbers
      </Button>
      {can('canViewRiskingRisk') && (
        <RiskPreview
          rule={isValid ? ruleOf(form.values) : null}
          check={(within) => form.showProblems(within, problems)}
        />
      )}
    </EditDrawer>
  );
};
