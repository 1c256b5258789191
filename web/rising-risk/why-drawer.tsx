import { Drawer, Text, Title } from '@mantine/core';
import type { Patient } from '#contract/patients.ts';
import type { CountedVisit, RiskExplanation } from '#contract/rising-risk.ts';
import { NOT_COUNTED, type RisingRiskRule, ruleInWords } from '#contract/rising-risk-words.ts';
import { DischargeSummaries } from '../documents/discharge-summaries.tsx';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { inWords } from '../patient/shown-patient.ts';
import { useBack } from '../router/use-back.ts';
import { formatDate } from '../ui/format/date.ts';
import { useNow } from '../ui/use-now.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import classes from './rising-risk.module.css';
import { careOf, REASON_LABELS, sinceInWords, useInWords } from './risk-words.ts';

const MONTH = 30 * 86_400_000;

const Visits = ({ visits, label }: { visits: readonly CountedVisit[]; label: string }) => (
  <table className={classes.table} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Arrived</th>
        <th scope="col">Care</th>
        <th scope="col">Facility</th>
      </tr>
    </thead>
    <tbody>
      {visits.map((visit) => (
        <tr key={visit.encounterId}>
          <td>{formatDate(visit.arrivedAt)}</td>
          <td>{careOf(visit)}</td>
          <td>
            {visit.facilityName}
            {visit.isPart2 && <div className={classes.dim}>{PART2_NOTICE}</div>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const TrendTable = ({ risk, rule, asOf }: { risk: RiskExplanation; rule: RisingRiskRule; asOf: number }) => (
  <table className={classes.table} aria-label="Past year">
    <thead>
      <tr>
        <th scope="col">{rule.days} days up to</th>
        <th scope="col">Visits</th>
      </tr>
    </thead>
    <tbody>
      {risk.trend.map((count, at) => {
        const day = new Date(asOf - (risk.trend.length - 1 - at) * MONTH).toISOString();
        return (
          <tr key={day}>
            <td>{formatDate(day)}</td>
            <td>{count}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

interface Props {
  patient: Patient;
  risk: RiskExplanation;
  rule: RisingRiskRule;
  /** When the list was loaded, in epoch milliseconds. */
  asOf: number;
  close: () => void;
}

/** All that put a person on the list: the rule, the visits that it counted, and the past year. */
export const WhyDrawer = ({ patient, risk, rule, asOf, close }: Props) => {
  useReturnFocus();
  useBack(close);
  const words = ruleInWords(rule);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      styles={{ title: { fontSize: 18, fontWeight: 650 } }}
      title="Why on the list?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text fw={600}>{inWords(patient, useNow())}</Text>
      <Text size="sm">{sinceInWords(risk)}.</Text>
      {risk.reasons.map(({ reason, visits }) => (
        <section key={reason} aria-label={REASON_LABELS[reason]} className={classes.section}>
          <Title order={3} size="h4">
            {REASON_LABELS[reason]}
          </Title>
          <Text size="sm" c="dimmed">
            {words[reason]}
          </Text>
          <Visits visits={visits} label={`Visits counted: ${REASON_LABELS[reason]}`} />
        </section>
      ))}
      <section aria-label="Trend" className={classes.section}>
        <Title order={3} size="h4">
          Trend
        </Title>
        <Text size="sm">Unplanned visits: {useInWords(risk, rule.days)}.</Text>
        <TrendTable risk={risk} rule={rule} asOf={asOf} />
      </section>
      <DischargeSummaries patientId={patient.id} order={3} />
      <Text size="sm" c="dimmed">
        {NOT_COUNTED}
      </Text>
    </Drawer>
  );
};
