import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Static files with relative addresses, so that they work below any path. The page's `<base>` is written by the server that
 * answers it, because only that knows how deep below the console an address is.
 */
export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
  },
});
