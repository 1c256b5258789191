import { Anchor, Button, Checkbox, Text, Textarea } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EmergencyAccess as Access, NewEmergencyAccess } from '#contract/emergency.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';
import { formatDate, formatTime } from '../ui/format/date.ts';
import classes from './consents.module.css';

/** As in contract/emergency.ts, which the browser does not load. */
const REASON_MAX = 500;

const emergencyQuery = (id: string) =>
  queryOptions({
    queryKey: ['emergency-access', id],
    queryFn: () => call('GET /api/patients/:id/emergency-access', { params: { id } }),
    staleTime: 0,
  });

const EmergencyDrawer = ({
  patientId,
  opened,
  close,
}: {
  patientId: string;
  opened: (access: Access) => void;
  close: () => void;
}) => {
  const form = useForm<NewEmergencyAccess, Access>({
    initial: { reason: '', isMedicalEmergency: false },
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : 'Enter a reason.' }),
    save: (body) => call('POST /api/patients/:id/emergency-access', { params: { id: patientId }, body }),
    saved: opened,
  });
  return (
    <EditDrawer title="Emergency access" form={form} submit="Open records for 60 minutes" close={close}>
      <Text size="sm">
        Opens this patient's visits at organizations that allow emergency access, for you alone. Their administrators
        get an email, and your name and reason are kept. You can open 5 patients an hour and 15 a day.
      </Text>
      <Textarea
        label="Reason"
        description="Say what the emergency is, in at least 10 letters."
        rows={4}
        maxLength={REASON_MAX}
        {...textOf(form, 'reason')}
      />
      <Checkbox
        label="Medical emergency"
        description="The patient needs treatment now and can't give consent. Opens substance use disorder records (42 CFR Part 2) too."
        {...tickOf(form, 'isMedicalEmergency')}
      />
    </EditDrawer>
  );
};

/** The visits that are open until the access ends, each with the notice that it needs. */
const Opened = ({ endsDate, visits }: { endsDate: string; visits: Access['visits'] }) => {
  const { user } = useSession();
  return (
    <Banner kind="WARNING" title={`Emergency access until ${formatTime(endsDate)}`}>
      {visits.length === 0 && 'There are no visits that emergency access opens.'}
      <ul className={classes.visits}>
        {visits.map((visit) => (
          <li key={visit.patientId}>
            <Anchor component={Link} to={patientPath(user, visit.patientId)} underline="always">
              {visit.facilityName}
              {visit.admittedDate && `, ${formatDate(visit.admittedDate)}`}
            </Anchor>
            {visit.isPart2Facility && <div>{PART2_NOTICE}</div>}
          </li>
        ))}
      </ul>
    </Banner>
  );
};

/** What emergency access has opened, above everything else about the patient; nothing without. */
export const EmergencyNotice = ({ patientId }: { patientId: string }) => {
  const { data: access } = useQuery(emergencyQuery(patientId));
  return access?.endsDate ? (
    <section className={classes.emergency} aria-label="Emergency access">
      <Opened endsDate={access.endsDate} visits={access.visits} />
    </section>
  ) : null;
};

/** The button that asks for emergency access to the patient's other visits. Nothing where no organization allows it. */
export const EmergencyAccess = ({ patientId }: { patientId: string }) => {
  const client = useQueryClient();
  const query = emergencyQuery(patientId);
  const { data: access } = useQuery(query);
  const [isAsking, ask] = useState(false);
  const endsDate = access?.endsDate ?? null;
  useEffect(() => {
    if (endsDate === null) return;
    // What was open must not stay on the screen.
    const end = (): void => {
      void client.resetQueries({ queryKey: ['emergency-access'] });
      void client.resetQueries({ queryKey: ['patient'] });
    };
    const timer = setTimeout(end, Math.max(0, Date.parse(endsDate) - Date.now()));
    return () => clearTimeout(timer);
  }, [client, endsDate]);
  if (!access) return null;
  return (
    <div className={classes.emergency}>
      {access.isOffered && (
        <Button size="xs" variant="default" onClick={() => ask(true)}>
          Emergency access…
        </Button>
      )}
      {isAsking && (
        <EmergencyDrawer
          patientId={patientId}
          opened={(now) => {
            ask(false);
            client.setQueryData(query.queryKey, now);
          }}
          close={() => ask(false)}
        />
      )}
    </div>
  );
};
