import { EmergencyAccess } from '../consents/emergency-access.tsx';

/** What can be done about the patient besides working on pings. In a chunk of its own, so that the first page stays small. */
export const PatientActions = ({ patientId }: { patientId: string }) => (
  <EmergencyAccess key={patientId} patientId={patientId} />
);
