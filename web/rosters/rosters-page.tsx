import { Alert, Anchor, Button, FileInput, Group, NativeSelect, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Team } from '#contract/accounts.ts';
import { ERRORS } from '#contract/errors.ts';
import { pathOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { applicationInfoQuery } from '../session/queries.ts';
import { useSession } from '../session/session.ts';
import { IconAlertTriangle, IconDownload } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AttestationFields, NOTHING_ATTESTED } from './attestation-fields.tsx';
import { RosterJobReport } from './roster-job.tsx';
import { type AttestedFile, isRunning, latestUploadQuery, uploadRoster } from './roster-queries.ts';
import classes from './rosters.module.css';

const MEBIBYTE = 1024 ** 2;
const size = (bytes: number): string =>
  bytes >= 1024 * MEBIBYTE
    ? `${Math.round(bytes / MEBIBYTE / 1024)} GB`
    : `${Math.max(1, Math.round(bytes / MEBIBYTE))} MB`;

/** The upload of a file: `part` is how much has been sent, 0 to 1. */
const useUpload = (groupId: string, done: () => void) => {
  const client = useQueryClient();
  const [part, setPart] = useState(0);
  const abort = useRef<AbortController | null>(null);
  const upload = useMutation({
    mutationFn: (chosen: AttestedFile) => {
      abort.current = new AbortController();
      setPart(0);
      return uploadRoster(groupId, chosen, setPart, abort.current.signal);
    },
    onSuccess: (job) => {
      done();
      client.setQueryData(latestUploadQuery(groupId).queryKey, job);
    },
  });
  return { ...upload, part, stop: () => abort.current?.abort() };
};

/** How far the upload is, or why it failed. */
const UploadState = ({
  isPending,
  part,
  error,
}: Pick<ReturnType<typeof useUpload>, 'isPending' | 'part' | 'error'>) => {
  if (isPending)
    return (
      <div>
        <Progress value={part * 100} aria-label="Upload progress" />
        <Text size="xs" c="dimmed" className="tabular">
          {Math.floor(part * 100)}% uploaded
        </Text>
      </div>
    );
  if (error instanceof DOMException) return <Text size="sm">Upload stopped. The roster is unchanged.</Text>;
  if (!error) return null;
  return (
    <Alert
      role="alert"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="The file wasn't uploaded"
    >
      {error instanceof ApiError ? error.message : 'The upload was interrupted. Try again.'} The roster is unchanged.
    </Alert>
  );
};

/** Chooses a file, asks for the relationship with the people in it, and sends it. The upload can be stopped. */
const Upload = ({ group, busy }: { group: { id: string; name: string }; busy: boolean }) => {
  const { data: info } = useQuery(applicationInfoQuery);
  const [file, setFile] = useState<File | null>(null);
  const [attestation, setAttestation] = useState(NOTHING_ATTESTED);
  const [missing, setMissing] = useState(false);
  const upload = useUpload(group.id, () => {
    setFile(null);
    setAttestation(NOTHING_ATTESTED);
  });
  const tooLarge = file !== null && info !== undefined && file.size > info.limits.rosterBytes;
  const form = useRef<HTMLDivElement>(null);
  const send = (): void => {
    const { relationship, isConfirmed } = attestation;
    const isMissing = !file || !relationship || !isConfirmed;
    flushSync(() => setMissing(isMissing));
    if (isMissing)
      form.current
        ?.querySelector<HTMLElement>(':is(button, input, select):is([aria-invalid="true"], [data-error])')
        ?.focus();
    if (file && relationship && isConfirmed) upload.mutate({ file, relationship });
  };
  return (
    <div ref={form} className={classes.upload}>
      <FileInput
        label="Roster file"
        description={`CSV with a header row${
          info
            ? `, up to ${info.limits.rosterRows.toLocaleString('en-US')} rows and ${size(info.limits.rosterBytes)}`
            : ''
        }. It replaces the entire roster of this group.`}
        placeholder="Choose a file"
        accept=".csv,text/csv,text/plain"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove file' }}
        value={file}
        onChange={(chosen) => {
          setFile(chosen);
          setMissing(false);
          upload.reset();
        }}
        error={missing && !file ? 'Choose a file first.' : tooLarge ? ERRORS.TOO_LARGE[1] : null}
      />
      <AttestationFields groupName={group.name} value={attestation} change={setAttestation} showMissing={missing} />
      <Group gap="sm">
        <Button disabled={busy || tooLarge} loading={upload.isPending} onClick={send}>
          Upload
        </Button>
        {upload.isPending && (
          <Button variant="default" onClick={upload.stop}>
            Stop upload
          </Button>
        )}
      </Group>
      <UploadState isPending={upload.isPending} part={upload.part} error={upload.error} />
    </div>
  );
};

const GroupRoster = ({ group }: { group: { id: string; name: string } }) => {
  const groupId = group.id;
  const client = useQueryClient();
  const { data: job, error, refetch } = useQuery(latestUploadQuery(groupId));
  useLiveEvents((event) => {
    if (event.kind === 'roster' && event.data.groupId === groupId)
      void client.invalidateQueries({ queryKey: latestUploadQuery(groupId).queryKey });
  });
  return (
    <>
      <Upload key={groupId} group={group} busy={isRunning(job) || job?.status === 'AWAITING_CONFIRMATION'} />
      <Title order={2} mt="xl" mb="sm">
        Latest upload
      </Title>
      {error && <Failed what="Couldn't load the latest upload." error={error} retry={() => void refetch()} />}
      {job === undefined && !error && <Skeleton h={120} />}
      {job === null && (
        <Empty title="No uploads for this group yet.">Download the template to see the columns of a roster.</Empty>
      )}
      {job && <RosterJobReport job={job} />}
    </>
  );
};

const groupsOf = (team: Team) =>
  Object.values(team.groups)
    .filter(({ permissions }) => permissions.includes('canUploadRoster'))
    .sort((a, b) => a.name.localeCompare(b.name));

/** The rosters of a team's groups: template, upload, and the latest upload. */
export const RostersPage = () => {
  useTitle('Rosters');
  const { team } = useSession();
  const groups = groupsOf(team);
  const [chosen, setChosen] = useState(groups[0]?.id);
  const group = groups.find(({ id }) => id === chosen);
  if (!group) return null;
  return (
    <div className={classes.page}>
      <Group justify="space-between" mb="md">
        <Title order={1}>Rosters</Title>
        <Anchor href={pathOf('GET /api/rosters/template.csv', { query: { teamId: team.id } })} download>
          <Group component="span" gap={4}>
            <IconDownload size={16} stroke={1.75} aria-hidden />
            Download template
          </Group>
        </Anchor>
      </Group>
      {groups.length > 1 ? (
        <NativeSelect
          label="Group"
          mb="md"
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
