import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import { DEFAULT_RISING_RISK_RULE, RISK_REASONS } from '#contract/rising-risk-words.ts';
import type { SortKey } from '#contract/sorts.ts';
import { noFilters } from '../filters/criteria.ts';
import type { ListKind } from '../filters/use-filters.ts';
import { PatientList } from '../patients/patient-list.tsx';
import { type ColumnSet, RISK_COLUMNS } from '../patients/use-columns.ts';
import { AboutList } from './about-list.tsx';
import { riskRuleQuery } from './risk-queries.ts';
import { Trend } from './trend.tsx';
import { Why } from './why.tsx';
import { WhyDrawer } from './why-drawer.tsx';

const PAGE_SIZE = 20;
const KIND: ListKind = {
  module: 'RISING_RISK',
  context: 'ALL',
  defaults: noFilters(PAGE_SIZE),
  always: { riskList: RISK_REASONS.map((value) => ({ field: 'riskList', value, negated: false })) },
};
const SORT_KEYS: SortKey[] = ['PING_ENCOUNTER_DATE', 'LAST_NAME', 'FIRST_NAME', 'NUMBER_OF_ENCOUNTERS'];
const OWN_GROUPS = [{ label: 'Reason', facets: ['riskList'], isExpanded: true }] as const;
const NO_ONE = {
  title: 'No one is on the list.',
  words:
    'People appear here when they come to hospitals more often than they used to. "How this list works" has the rule.',
};

/** People who use hospitals more than they used to, and why. */
export const RisingRiskPage = () => {
  const { data: held } = useQuery(riskRuleQuery);
  const rule = held?.rule ?? DEFAULT_RISING_RISK_RULE;
  const { days } = rule;
  const [explained, explain] = useState<{ patient: Patient; asOf: number } | null>(null);
  const columns = useMemo(
    (): ColumnSet => ({
      ...RISK_COLUMNS,
      own: [
        {
          label: 'Why',
          cell: (patient, now) => (
            <Why patient={patient} now={now} explain={(one) => explain({ patient: one, asOf: now.getTime() })} />
          ),
        },
        {
          label: 'Unplanned visits',
          cell: ({ risk }) => risk && <Trend risk={risk} days={days} />,
        },
      ],
    }),
    [days],
  );
  return (
    <>
      <PatientList
        title="Rising risk"
        kind={KIND}
        columns={columns}
        sortKeys={SORT_KEYS}
        ownGroups={OWN_GROUPS}
        aboveRows={() => held && <AboutList rule={held.rule} isDefault={held.isDefault} />}
        empty={NO_ONE}
      />
      {explained?.patient.risk && (
        <WhyDrawer
          patient={explained.patient}
          risk={explained.patient.risk}
          rule={rule}
          asOf={explained.asOf}
          close={() => explain(null)}
        />
      )}
    </>
  );
};
