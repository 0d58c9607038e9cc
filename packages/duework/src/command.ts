#!/usr/bin/env node
import '@duework/cli/main';
