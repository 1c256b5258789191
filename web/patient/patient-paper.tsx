import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { useSession } from '../session/session.ts';
import { ehrShowsBanner } from './ehr-shows-banner.ts';
import { PatientBanner } from './patient-banner.tsx';
import classes from './patient-paper.module.css';
import { usePrivacyNotice } from './privacy-notice.ts';
import { useRecordedPrint } from './record-print.ts';
import { ShownPatient } from './shown-patient.ts';

/** A page about one patient. Printed, each sheet begins with the privacy notice and who the patient is, and there are no buttons. */
export const PatientPaper = ({
  patient,
  now,
  heading,
  children,
}: {
  patient: Patient;
  now: Date;
  /** Whether the patient's name is the page's heading. */
  heading: 'h1' | 'h2';
  children: ReactNode;
}) => {
  const { user } = useSession();
  useRecordedPrint([patient.id]);
  return (
    <div className={classes.paper}>
      <div className={classes.repeated}>
        <div hidden className={classes.notice}>
          {usePrivacyNotice()}
        </div>
        {!ehrShowsBanner(user, patient.id) && <PatientBanner patient={patient} now={now} heading={heading} />}
      </div>
      <ShownPatient value={patient}>{children}</ShownPatient>
    </div>
  );
};
