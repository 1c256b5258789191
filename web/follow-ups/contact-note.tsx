import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { contactMissed, LOGGED_CONTACTS_COUNT } from '#contract/follow-up-words.ts';
import type { ContactedStatus } from '#contract/follow-ups.ts';
import { RESOLUTION_LABELS } from '#contract/management-status.ts';
import { showAttempts } from '../contact-attempts/attempt-queries.ts';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const loadDrawer = () => import('../contact-attempts/attempt-drawer.tsx').then((file) => file.AttemptDrawer);

interface Props {
  patientId: string;
  contactedStatus: ContactedStatus | null;
  /** Neither a contact nor two attempts were logged in time. */
  isMissed: boolean;
  isOwed: boolean;
  hasDied: boolean;
  at: (instant: string) => string;
  logged?: () => void;
}

/**
 * What is missing of the contact after a discharge. A status says that the patient was contacted, but not when and how: the note says so, and
 * offers to log it (docs/decisions/0119).
 */
export const ContactNote = ({ contactedStatus, isMissed, isOwed, ...contact }: Props) => {
  if (contactedStatus) return <StatusNote {...contact} status={contactedStatus} />;
  return isMissed && <Text size="sm">{contactMissed(isOwed)}</Text>;
};

type StatusNoteProps = Pick<Props, 'patientId' | 'hasDied' | 'at' | 'logged'> & { status: ContactedStatus };

const StatusNote = ({ patientId, status, hasDied, at, logged }: StatusNoteProps) => {
  const mayLog = useSession().can('canManagePings') && !hasDied;
  const client = useQueryClient();
  const [isLogging, log] = useState(false);
  const AttemptDrawer = useLoaded(loadDrawer, isLogging, mayLog);
  return (
    <div>
      <Text size="sm">
        Resolved as “{RESOLUTION_LABELS.CONTACTED_PATIENT}” by {status.by}, {at(status.date)}. {LOGGED_CONTACTS_COUNT}
      </Text>
      {mayLog && (
        <Button size="compact-sm" variant="default" onClick={() => log(true)}>
          Log this contact
        </Button>
      )}
      {isLogging && AttemptDrawer && (
        <AttemptDrawer
          patientId={patientId}
          known={status}
          saved={(attempts) => {
            log(false);
            void showAttempts(client, patientId, attempts);
            logged?.();
          }}
          close={() => log(false)}
        />
      )}
    </div>
  );
};
