import { Button, Text } from '@mantine/core';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey, Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { profileQuery } from '../session/preferences.ts';
import { AddPasskey } from '../sign-in/add-passkey.tsx';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { IconFingerprint } from '../ui/icons.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** The user's passkeys. */
export const PasskeysSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const done = (message: string): void => {
    setAdding(false);
    setRemoving(null);
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    saved(message);
  };
  return (
    <Section id="passkeys" title="Passkeys">
      <Text mb="sm">
        {profile.isManagedElsewhere
          ? "You sign in through your organization, so you can't add passkeys."
          : 'Sign in with your fingerprint, face or device PIN instead of a password.'}
      </Text>
      {profile.passkeys.length > 0 ? (
        <ul className={classes.items}>
          {profile.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <div className={classes.name}>{passkey.name}</div>
                <div className={classes.dim}>
                  Added {formatDate(passkey.createdDate)} ·{' '}
                  {passkey.lastUsedDate ? `last used ${formatDateTime(passkey.lastUsedDate)}` : 'not used yet'}
                </div>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove passkey ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        !adding &&
        !profile.isManagedElsewhere && (
          <Text c="dimmed" mb="sm">
            No passkeys yet.
          </Text>
        )
      )}
      {profile.isManagedElsewhere ? null : adding ? (
        <AddPasskey added={({ name }) => done(`Passkey “${name}” added.`)} cancel={() => setAdding(false)} />
      ) : browserSupportsWebAuthn() ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} stroke={1.75} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add a passkey
        </Button>
      ) : (
        <Text>This browser doesn't support passkeys.</Text>
      )}
      {removing && (
        <Confirm
          title={`Remove passkey “${removing.name}”?`}
          word="Remove it"
          act={() => call('DELETE /api/users/passkeys/:id', { params: { id: removing.id } })}
          done={() => done(`Passkey “${removing.name}” removed.`)}
          close={() => setRemoving(null)}
        >
          You can no longer sign in with it. Your device may still offer it until you delete it there too.
        </Confirm>
      )}
    </Section>
  );
};
