import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/fonts.css';
import './theme/tokens.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadAfterUpgrade } from './reload-after-upgrade.ts';
import { queryClient, router } from './router.tsx';
import { PasswordDialog } from './session/password-dialog.tsx';
import { styleNonce } from './theme/nonce.ts';
import { theme, variables } from './theme/theme.ts';
import { fixDialogFocus } from './ui/page/fix-dialog-focus.ts';

// Sets the nonce for the style element that dialogs add to lock scrolling.
setNonce(styleNonce);
reloadAfterUpgrade();
fixDialogFocus(document);

const root = document.querySelector('#root');
if (root === null) throw new Error('The #root element is missing.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={variables}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <PasswordDialog />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
