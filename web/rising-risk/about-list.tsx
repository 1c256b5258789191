import { Text } from '@mantine/core';
import { NOT_COUNTED, RISK_REASONS, type RisingRiskRule, ruleInWords } from '#contract/rising-risk-words.ts';
import classes from './rising-risk.module.css';
import { REASON_LABELS } from './risk-words.ts';

/** What the list is, by which rule, and what it is not. */
export const AboutList = ({ rule, isDefault }: { rule: RisingRiskRule; isDefault: boolean }) => {
  const words = ruleInWords(rule);
  return (
    <details className={classes.about}>
      <summary>How this list works</summary>
      <dl className={classes.rules}>
        {RISK_REASONS.map((reason) => (
          <div key={reason}>
            <dt>{REASON_LABELS[reason]}</dt>
            <dd>{words[reason]}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm">{NOT_COUNTED}</Text>
      <Text size="sm">
        The list follows every message within seconds and counts only visits your team may see. It's not a diagnosis and
        doesn't predict an admission.{' '}
        {isDefault
          ? 'These are the default numbers. An administrator can change them under Admin, Groups.'
          : "These are your organization's own numbers."}
      </Text>
    </details>
  );
};
