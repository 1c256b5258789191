import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import classes from './patient-tags.module.css';
import { shortTag, tagTitle } from './short-tag.ts';

const loadEditor = () => loadChunk('tag-editor', () => import('./tag-editor.tsx')).then((file) => file.TagEditor);

/** A patient's tags, with a button to change the team's own for users who may. */
export const PatientTags = ({ patientId, tags }: { patientId: string; tags: readonly string[] }) => {
  const { can } = useSession();
  const [editing, edit] = useState(false);
  useCommands({
    'patient.tags': can('canEditPatientTags')
      ? (event) => {
          // The field has the focus before the key types its letter.
          event?.preventDefault();
          edit(true);
        }
      : null,
  });
  const TagEditor = useLoaded(loadEditor, editing, false);
  return (
    <div className={classes.tags}>
      {tags.length === 0 && <span className={classes.none}>No tags</span>}
      {tags.map((name) => (
        <Badge key={name} component="span" color="gray" tt="none" title={tagTitle(name)}>
          {shortTag(name)}
        </Badge>
      ))}
      {can('canEditPatientTags') && !editing && (
        <Button size="compact-xs" variant="default" onClick={() => edit(true)}>
          Edit tags
        </Button>
      )}
      {editing && TagEditor && <TagEditor patientId={patientId} close={() => edit(false)} />}
    </div>
  );
};
