import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { documentsQuery } from './document-queries.ts';
import { DocumentLink } from './document-table.tsx';
import { originInWords, typeInWords, writtenInWords } from './document-words.ts';
import classes from './documents.module.css';

const MOST = 3;

/** The latest documents of a patient, and a link to all. Discharge summaries are on other pages. `ofVisits`: whether one is about a visit. */
export const DocumentLinks = ({ patientId, ofVisits = true }: { patientId: string; ofVisits?: boolean }) => {
  const { user } = useSession();
  const { data, error } = useQuery(documentsQuery(patientId));
  if (error) return <Text size="sm">Couldn't load the documents.</Text>;
  if (!data) return null;
  const shown = data.filter(({ isDischargeSummary }) => !isDischargeSummary);
  if (shown.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {data.length === 0 ? 'No documents.' : 'No documents besides discharge summaries.'}
      </Text>
    );
  return (
    <>
      {!ofVisits && (
        <Text size="sm" c="dimmed">
          None of them is about a visit.
        </Text>
      )}
      <ul className={classes.links}>
        {shown.slice(0, MOST).map((entry) => (
          <li key={entry.uuid}>
            <DocumentLink patientId={patientId} entry={entry} />
            <div className={classes.dim}>
              {[typeInWords(entry), writtenInWords(entry), originInWords({ ...entry, author: null })].join(' · ')}
            </div>
          </li>
        ))}
      </ul>
      {shown.length > MOST && (
        <Anchor component={Link} data-target to={`${patientPath(user, patientId)}/attachments`} size="sm">
          All documents ({shown.length})
        </Anchor>
      )}
    </>
  );
};
