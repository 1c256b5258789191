import { Button, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Consent } from '#contract/consents.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { CardTable } from '../ui/card-table.tsx';
import { formatDate } from '../ui/format/date.ts';
import { ConsentDrawer } from './consent-drawer.tsx';
import { consentsQuery } from './consent-queries.ts';
import classes from './consents.module.css';

const when = (date: string, by: string | null): string => [formatDate(date), by].filter(Boolean).join(' · ');

const endOf = ({ expiresDate, endedDate, endedBy }: Consent): string => {
  if (endedDate) return when(endedDate, endedBy ?? (expiresDate && 'expired'));
  return expiresDate ? `In force through ${formatDate(expiresDate)}` : 'In force';
};

const EndButton = ({ consent, ask }: { consent: Consent; ask: (consent: Consent) => void }) => (
  <Button
    size="xs"
    variant="default"
    aria-label={`End consent for ${consent.recipient.groupName}`}
    onClick={() => ask(consent)}
  >
    End consent…
  </Button>
);

/** The consents with their history, and what can be done about them. */
const ConsentTable = ({
  patientId,
  consents,
  ended,
}: {
  patientId: string;
  consents: readonly Consent[];
  ended: (message: string) => void;
}) => {
  const [asking, ask] = useState<Consent | null>(null);
  return (
    <>
      <CardTable
        label="Consents"
        rows={consents}
        columns={[
          ['Shared with', ({ recipient }) => `${recipient.groupName} · ${recipient.organizationName}`],
          ['Facility', ({ facility }) => facility.name],
          ['Recorded', ({ givenDate, recordedBy }) => when(givenDate, recordedBy)],
          ['Ended', endOf],
          ['Actions', (consent) => (consent.endedDate ? null : <EndButton consent={consent} ask={ask} />)],
        ]}
      />
      {asking && (
        <Confirm
          title={`End the consent for ${asking.recipient.groupName}?`}
          word="End consent"
          act={() =>
            call('DELETE /api/patients/:id/consents/:consentId', { params: { id: patientId, consentId: asking.id } })
          }
          done={() => {
            ask(null);
            ended(`The consent for ${asking.recipient.groupName} has ended.`);
          }}
          close={() => ask(null)}
        >
          {asking.recipient.groupName} no longer sees this patient's visits at {asking.facility.name}, including those
          already shared. What your facility recorded stays, and so does the audit log.
        </Confirm>
      )}
    </>
  );
};

/** With whom a patient of a 42 CFR Part 2 facility consents to share. Shows nothing where the team has no such facility. */
export const Consents = ({ patientId }: { patientId: string }) => {
  const client = useQueryClient();
  const query = consentsQuery(patientId);
  const consents = useQuery(query);
  const [message, say] = useState<string | null>(null);
  const [recording, record] = useState(false);
  if (consents.isPending || consents.data?.facilities.length === 0) return null;
  const changed = (done: string): void => {
    record(false);
    say(done);
    void client.invalidateQueries({ queryKey: query.queryKey });
  };
  return (
    <section aria-label="Consents">
      <div className={classes.head}>
        <Title order={2}>Consents (42 CFR Part 2)</Title>
        <Button variant="default" disabled={!consents.data} onClick={() => record(true)}>
          Record consent
        </Button>
      </div>
      <SavedBanner message={message} close={() => say(null)} />
      <Loaded query={consents} what="consents">
        {(all) => (
          <>
            {all.consents.length === 0 ? (
              <Text c="dimmed">
                No consents. Only your facility sees what happens to this patient at{' '}
                {all.facilities.map(({ name }) => name).join(', ')}.
              </Text>
            ) : (
              <ConsentTable patientId={patientId} consents={all.consents} ended={changed} />
            )}
            {recording && (
              <ConsentDrawer
                patientId={patientId}
                facilities={all.facilities}
                saved={changed}
                close={() => record(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};
