import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CcdEntry } from '#contract/documents.ts';
import { Loaded } from '../forms/loaded.tsx';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { CardTable } from '../ui/card-table.tsx';
import { Empty } from '../ui/states.tsx';
import { useWidth } from '../ui/use-width.ts';
import { documentPath, documentsQuery } from './document-queries.ts';
import { originInWords, sizeInWords, typeInWords, visitInWords, writtenInWords } from './document-words.ts';
import classes from './documents.module.css';

/** A link to the page of a document. */
export const DocumentLink = ({ patientId, entry }: { patientId: string; entry: CcdEntry }) => {
  const { user } = useSession();
  return (
    <Anchor
      component={Link}
      data-target
      to={`${patientPath(user, patientId)}${documentPath(entry)}`}
      underline="always"
    >
      {entry.title}
    </Anchor>
  );
};

/** Where the discharge summaries of a patient are; nothing if there are none. */
const SummariesElsewhere = ({ patientId, count }: { patientId: string; count: number }) => {
  const { user } = useSession();
  const isNarrow = useWidth() === 'narrow';
  const number = count === 1 ? '1 discharge summary' : `${count} discharge summaries`;
  const is = count === 1 ? 'is' : 'are';
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {isNarrow ? (
        `${number} ${is} not shown on a phone or in a narrow window.`
      ) : (
        <>
          {number} {is} under{' '}
          <Anchor component={Link} to={`${patientPath(user, patientId)}/case-management`} underline="always">
            Case management
          </Anchor>
          .
        </>
      )}
    </Text>
  );
};

/** The documents of a patient that the user may read, without discharge summaries. */
export const DocumentTable = ({ patientId }: { patientId: string }) => {
  const query = useQuery(documentsQuery(patientId));
  return (
    <Loaded query={query} what="documents">
      {(all) => {
        const shown = all.filter(({ isDischargeSummary }) => !isDischargeSummary);
        const others = all.length - shown.length;
        const elsewhere = others > 0 && <SummariesElsewhere patientId={patientId} count={others} />;
        if (shown.length === 0)
          return (
            <>
              {elsewhere}
              <Empty title="No documents">Documents that facilities send about this patient appear here.</Empty>
            </>
          );
        return (
          <>
            {elsewhere}
            <CardTable
              label="Documents"
              rows={shown.map((entry) => ({ ...entry, id: entry.uuid }))}
              columns={[
                ['Document', (entry) => <DocumentLink patientId={patientId} entry={entry} />],
                ['Type', (entry) => typeInWords(entry)],
                ['Written', (entry) => writtenInWords(entry)],
                ['From', (entry) => originInWords(entry)],
                ['Visit', (entry) => visitInWords(entry) ?? <span className={classes.dim}>No visit</span>],
                ['Size', ({ size }) => sizeInWords(size), 'right'],
              ]}
            />
          </>
        );
      }}
    </Loaded>
  );
};
