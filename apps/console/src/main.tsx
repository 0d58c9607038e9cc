import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './api/create-queries.js';
import { createConsoleRouter } from './create-router.js';
import { arrive } from './session/arrive.js';
import './styles.css';

// before anything else reads the address
arrive();

const queries = createQueries();
const router = createConsoleRouter();

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
