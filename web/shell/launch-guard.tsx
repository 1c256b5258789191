import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { born } from '../patient/phrases.ts';
import { type LaunchedPatient, listenToTabs, postToTabs } from '../session/tabs.ts';
import { Banner } from '../ui/banner.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { familyFirst } from '../ui/format/name.ts';
import classes from './ehr-strip.module.css';

/** Returns the patient that the EHR has opened in this browser since, if it isn't the patient of this page: perhaps one who is on no list. */
const useOtherLaunch = ({ user: { patientId, ehrPatientIdentifier } }: Me): LaunchedPatient | null => {
  const [other, setOther] = useState<LaunchedPatient | null>(null);
  useEffect(() => {
    const compare = (launched: LaunchedPatient): void =>
      setOther(
        launched.patientId === patientId || !(launched.patientId ?? launched.ehrPatientIdentifier) ? null : launched,
      );
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      // A launch replaces the session of this browser, so the session's patient is the one that the EHR shows.
      inBackground(() => call('GET /api/me')).then(
        (me) => compare(me.user),
        () => {},
      );
    };
    postToTabs({ kind: 'launched', patientId, ehrPatientIdentifier });
    const stopListening = listenToTabs((message) => {
      if (message.kind === 'launched') compare(message);
    });
    window.addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      stopListening();
      window.removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [patientId, ehrPatientIdentifier]);
  return other;
};

/** Name and birth date of a patient, or why they aren't shown. */
const Identity = ({ id }: { id: string }) => {
  const { data, isError } = useQuery({
    queryKey: ['launched-patient', id],
    queryFn: () => call('GET /api/patients/:id', { params: { id } }),
  });
  const [now] = useState(() => new Date());
  if (!data) return isError ? "You don't have access to this patient" : 'Loading';
  return `${familyFirst(data)} · Born ${data.dateOfBirth ? born(data.dateOfBirth, now) : 'not recorded'}`;
};

const stay = (): void => {};

/** Who a patient of a launch is. */
const Launched = ({ patient: { patientId, ehrPatientIdentifier } }: { patient: LaunchedPatient }) =>
  patientId ? <Identity id={patientId} /> : `Record number ${ehrPatientIdentifier}, not on your team’s lists`;

/** Blocks work on a patient that the EHR no longer shows, and identifies both patients. */
export const LaunchGuard = ({ me }: { me: Me }) => {
  const other = useOtherLaunch(me);
  const { patientId, ehrPatientIdentifier } = me.user;
  if (!other || !(patientId ?? ehrPatientIdentifier)) return null;
  const path = other.patientId ? `/ehr/patients/${encodeURIComponent(other.patientId)}` : '/ehr/inbox';
  return (
    <Dialog title="The EHR is now showing a different patient. Reload." close={stay}>
      <Banner kind="PATIENT_SAFETY" role="alert">
        Anything you do here applies to the patient on this page.
      </Banner>
      <dl className={classes.identities}>
        <div>
          <dt>This page</dt>
          <dd>
            <Launched patient={me.user} />
          </dd>
        </div>
        <div>
          <dt>The EHR</dt>
          <dd>
            <Launched patient={other} />
          </dd>
        </div>
      </dl>
      <Button mt="lg" data-autofocus onClick={() => location.assign(path)}>
        Reload
      </Button>
    </Dialog>
  );
};
