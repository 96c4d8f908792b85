# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""What the check scripts share: which files are ours, and C without its comments."""

import os
import re
import subprocess

SKIPPED_FOLDERS = {'.git', '.cache', '__pycache__'}

# A comment, a string or a character: whichever starts first swallows the rest.
C_TOKEN = re.compile(
    r'//(?:[^\\\n]|\\.)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def walk(root):
    """All files below root but those of build folders."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name for name in folders
            if name not in SKIPPED_FOLDERS
            and not os.path.isdir(os.path.join(folder, name, 'meson-private')))
        for name in sorted(files):
            yield os.path.relpath(os.path.join(folder, name), root)


def git_files(root):
    """What git tracks or would take; None without git or outside a work tree."""
    if not os.path.exists(os.path.join(root, '.git')):
        return None
    command = ['git', '-C', root, 'ls-files', '-z', '-co', '--exclude-standard']
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return sorted(set(listed.decode().split('\0')) - {''})


def tree_files(root):
    """Paths of the tree's files, relative to root."""
    files = git_files(root)
    if files is None:
        files = list(walk(root))
    return [path for path in files if os.path.isfile(os.path.join(root, path))]


def read_tree(root, wanted=lambda path: True):
    """{path: text} of the tree's text files."""
    texts = {}
    for path in filter(wanted, tree_files(root)):
        with open(os.path.join(root, path), 'rb') as file:
            data = file.read()
        if b'\0' not in data:
            texts[path] = data.decode('utf-8', 'replace')
    return texts


def blank(text):
    """The same number of lines, with nothing on them."""
    return ' ' + '\n' * text.count('\n')


def without_comments(text, strings=True):
    """C source with blank comments and, unless strings are wanted, empty strings."""
    def replace(match):
        token = match.group(0)
        if token.startswith('/'):
            return blank(token)
        return token if strings else token[0] + token[-1]
    return C_TOKEN.sub(replace, text)
