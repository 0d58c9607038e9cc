#!/usr/bin/env node
import '@duework/cli/command';
