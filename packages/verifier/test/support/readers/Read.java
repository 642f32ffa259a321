import java.io.FileInputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Prints the SHA-256 and the name of each file of an archive, read as a stream. */
class Read {
    public static void main(String[] args) throws Exception {
        try (ZipInputStream zip = new ZipInputStream(new FileInputStream(args[0]))) {
            for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                new DigestInputStream(zip, digest).transferTo(java.io.OutputStream.nullOutputStream());
                System.out.println(HexFormat.of().formatHex(digest.digest()) + " " + entry.getName());
            }
        }
    }
}
