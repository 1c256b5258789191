import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RosterJob } from '#contract/rosters.ts';
import { pathOf } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { rosterGroups } from '../session/roster-groups.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { IconDownload } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { JobHistory } from './job-history.tsx';
import { JobReport } from './job-report.tsx';
import { KeptHeaders } from './kept-headers.tsx';
import { isUnfinished, latestUploadQuery, refreshUploads } from './roster-queries.ts';
import classes from './rosters.module.css';
import { UploadForm } from './upload-form.tsx';

const titleOf = (job: RosterJob): string => {
  if (job.status === 'AWAITING_CONFIRMATION') return `Preview of ${job.lastUploadedFile}`;
  if (!isUnfinished(job)) return 'Latest upload';
  return job.undoes ? `Undoing ${job.lastUploadedFile}` : `Uploading ${job.lastUploadedFile}`;
};

/** The latest upload. `isSentHere`: its heading gets the focus once it waits, because the form that sent it is gone. */
const CurrentUpload = ({ job, isSentHere }: { job: RosterJob; isSentHere: boolean }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(job.status);
  const { status } = job;
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (status === 'AWAITING_CONFIRMATION' && isSentHere) heading.current?.focus();
  }, [status, isSentHere]);
  return (
    <section className={classes.current} aria-label="Latest upload">
      <h2 ref={heading} tabIndex={-1} className={classes.step}>
        {titleOf(job)}
      </h2>
      <JobReport job={job} />
    </section>
  );
};

const GroupRoster = ({ group }: { group: { id: string; name: string } }) => {
  const groupId = group.id;
  const client = useQueryClient();
  const [sentId, setSentId] = useState<string | null>(null);
  const { data: job, error, refetch } = useQuery(latestUploadQuery(groupId));
  useLiveEvents((event) => {
    if (event.kind === 'roster' && event.data.groupId === groupId) void refreshUploads(client, groupId);
  });
  const status = job?.status;
  // The stream may be down, and polling then notices the new status.
  useEffect(() => {
    if (status !== undefined) void refreshUploads(client, groupId);
  }, [client, groupId, status]);
  return (
    <>
      {error && <Failed what="Couldn't load the latest upload." error={error} retry={() => void refetch()} />}
      {job === undefined && !error && <Skeleton h={200} />}
      {job && <CurrentUpload job={job} isSentHere={job.jobId === sentId} />}
      {job !== undefined && !isUnfinished(job) && (
        <>
          <KeptHeaders groupId={groupId} />
          <UploadForm group={group} sent={({ jobId }) => setSentId(jobId)} />
        </>
      )}
      <JobHistory groupId={groupId} />
    </>
  );
};

/** The rosters of a team's groups: template, upload with its preview, and earlier uploads. */
export const RostersPage = () => {
  useTitle('Rosters');
  const { team } = useSession();
  const groups = rosterGroups(team);
  const [chosen, setChosen] = useState(groups[0]?.id);
  const group = groups.find(({ id }) => id === chosen);
  if (!group)
    return (
      <Empty title="No rosters to upload.">
        Facilities list their own patients. Rosters are uploaded for programs, and none of yours is on this team.
      </Empty>
    );
  const template = pathOf('GET /api/rosters/template.csv', { query: { teamId: team.id, groupId: group.id } });
  return (
    <div className={classes.page}>
      <Group justify="space-between" mb="md">
        <Title order={1}>Rosters</Title>
        <Anchor href={template} download>
          <Group component="span" gap={4}>
            <IconDownload size={16} stroke={1.75} aria-hidden />
            Download template
          </Group>
        </Anchor>
      </Group>
      {groups.length > 1 ? (
        <ChoiceField
          label="Group"
          mb="md"
          maw={480}
          value={group.id}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <Text mb="md">{group.name}</Text>
      )}
      <GroupRoster key={group.id} group={group} />
    </div>
  );
};
